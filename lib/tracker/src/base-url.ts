/** An address or path as it is written, with or without a slash at its end, ready for a path to be appended. */
export const withoutSlash = (baseUrl: string): string => baseUrl.replace(/\/+$/, '');
