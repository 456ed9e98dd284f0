// What is kept of optional input. A value that is too long or unusual must not cost a click, a lead or a sale, so it is
// shortened or dropped. No record keeps an email address from a URL.

const URL_LIMIT = 2_048;
const QUERY_LIMIT = 512;
/** More do not fit: none is shorter than `a=`. */
const PAIR_LIMIT = QUERY_LIMIT / 2;
/** At least this much of a URL stays: a host has at most 253 characters. */
const BASE_MINIMUM = 270;
const EMAIL_LIMIT = 320;

/** In characters: one may take two units of UTF-16. */
export const ID_LIMIT = 255;

const OPAQUE_ID = new RegExp(`^[^\\p{Cc}\\p{Cs}]{1,${ID_LIMIT}}$`, 'u');

/** An ID of another system: opaque, any printable text of 1 to 255 characters, none of them half a surrogate pair. */
export const isOpaqueId = (value: unknown): value is string => typeof value === 'string' && OPAQUE_ID.test(value);

/** PostgreSQL stores no NUL, and half of a surrogate pair would come back as another character. */
export const isStorableText = (text: string) => !text.includes('\0') && !/\p{Surrogate}/u.test(text);

/** Of two values for one name, one would be ignored. */
export const hasRepeatedName = (query: URLSearchParams) => new Set(query.keys()).size < query.size;

/** Makes any text safe to look up as an ID: an invalid one is changed or cut so that it matches no other ID. */
export const searchableId = (text: string): string =>
  [...text.slice(0, 2 * ID_LIMIT).replace(/[\p{Cc}\p{Cs}]/gu, '\uFFFD')].slice(0, ID_LIMIT).join('');

/** Cut to a length, never through the middle of a character. */
export const shorten = (text: string, limit: number): string => text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '');

/**
 * The email address, or null. Deliberately generous: `müller@example.de`, `a&b@example.com` and addresses at
 * internationalized domains are addresses, and whether one can receive mail is not for this service to decide.
 */
export function readEmail(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const email = value.trim();
  return email.length <= EMAIL_LIMIT && /^[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+$/u.test(email) ? email : null;
}

/**
 * A URL as it may be stored: without credentials, fragment and email addresses, its query bounded. Null if it is not an
 * http(s) URL.
 * @param keepsAff for a partner's link: its first `aff` is kept unchanged, in first place
 */
export function cleanUrl(value: unknown, { keepsAff = false } = {}): string | null {
  if (typeof value !== 'string' || !URL.canParse(value)) return null;
  const url = new URL(value);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  const aff = keepsAff ? url.searchParams.get('aff') : null;
  let query = aff === null ? '' : new URLSearchParams({ aff }).toString();
  for (const pair of [...url.searchParams].slice(0, PAIR_LIMIT)) {
    if ((keepsAff && pair[0] === 'aff') || pair.some((text) => AT_SIGN.test(text))) continue;
    const text = new URLSearchParams([pair]).toString();
    if (query.length + text.length < QUERY_LIMIT) query += query ? `&${text}` : text;
  }
  const path = hasEmail(url.pathname) ? '/redacted' : url.pathname;
  const search = query && `?${query}`;
  const base = shorten(`${url.origin}${path}`, Math.max(BASE_MINIMUM, URL_LIMIT - search.length));
  return `${base}${search}`;
}

// Also if the @ is encoded, once or twice. A path may contain a name such as `/@ada`; a query usually does not.
const AT_SIGN = /@|%40|%2540/i;

/** Splits, because the time of a regular expression would grow with the square of the path's length. */
const hasEmail = (path: string): boolean =>
  path.split('/').some((segment) => {
    const [first = '', ...others] = segment.split(AT_SIGN);
    let hasName = first !== '';
    return others.some((part) => {
      const isDomain = hasName && /.\../.test(part);
      hasName ||= part !== '';
      return isDomain;
    });
  });
