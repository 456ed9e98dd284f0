const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="#8a8f98"/>' +
  '<circle cx="4" cy="3.1" r="1.4" fill="#fff"/><path d="M1.4 8a2.6 2.6 0 0 1 5.2 0z" fill="#fff"/></svg>';

/** Everybody's picture: no request leaves this machine for it. */
export const AVATAR = `data:image/svg+xml;base64,${Buffer.from(SVG).toString('base64')}`;
