/** Stands in a datasource URL for "open this data directory yourself"; what follows is the path, URI-encoded. */
export const EMBEDDED_URL = 'postgresql://embedded/';
