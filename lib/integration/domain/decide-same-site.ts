/**
 * Whether a form was sent from the shop's own pages. Every browser says so in one of the two headers; a request with neither
 * comes from no browser, so it carries nobody's session and is refused as well.
 */
export function decideSameSite(
  headers: { secFetchSite: string | null; origin: string | null },
  appUrl: string,
): boolean {
  if (headers.secFetchSite !== null) return headers.secFetchSite === 'same-origin';
  return headers.origin === new URL(appUrl).origin;
}
