// The tracker's cookies (docs/decisions/0012-tracker-cookies.md). Part of the inline script, so it has a budget.

/** `svc_click_id` is the contract's (§2), `svc_partner` the program and the link it came from, `svc_domain` a probe. */
type CookieName = 'click_id' | 'partner' | 'domain';

/** The value, or the empty string if there is none, it cannot be decoded, or the document has no access to cookies. */
export function readCookie(name: CookieName, source: { readonly cookie: string } = document): string {
  try {
    // The last one: browsers list a host-only cookie of an earlier version before the newer one of the domain.
    const value = `; ${source.cookie}`.split(`; svc_${name}=`).pop() as string;
    return decodeURIComponent(value.split(';')[0] as string);
  } catch {
    return '';
  }
}

/**
 * Writes a cookie for `domain`, or for this host only if it is empty. A lifetime of 0 deletes the cookie. The value is
 * encoded, so it cannot add an attribute. Does nothing if the document has no access to cookies.
 */
export function writeCookie(name: CookieName, value: string, seconds: number, domain: string): void {
  if (domain) writeCookie(name, '', 0, ''); // servers would read a host-only duplicate first
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers that we serve
    document.cookie =
      `svc_${name}=${encodeURIComponent(value)};Path=/;SameSite=Lax;Max-Age=${seconds}` +
      (domain && `;Domain=${domain}`) +
      (location.protocol === 'https:' ? ';Secure' : '');
  } catch {} // a sandboxed frame has no cookies
}

/**
 * Leaves the probe on the widest domain on which this page may set a cookie, so that `www` and `app` share it: browsers
 * refuse public suffixes such as `co.uk`. With the option, only that domain is tried. Empty if none is accepted, which
 * makes the cookie host-only, as does the option `host-only`, which no browser accepts as a domain.
 */
export const probeDomain = (option: string | undefined): string =>
  location.hostname
    .split('.')
    .map((_, index, labels) => option || labels.slice(~index).join('.'))
    .find((domain) => {
      writeCookie('domain', domain, 9, domain);
      return readCookie('domain') === domain;
    }) ?? '';

/** Deletes the tracker's cookies, host-only and on every domain of this host. */
export function deleteCookies(): void {
  const labels = location.hostname.split('.');
  for (const [index] of labels.entries()) {
    writeCookie('click_id', '', 0, labels.slice(index).join('.'));
    writeCookie('partner', '', 0, labels.slice(index).join('.'));
  }
}
