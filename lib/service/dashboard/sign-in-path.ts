import type { SearchParams } from './event-filter';

const HOME = '/dashboard';
/** A placeholder for the dashboard's origin. */
const ORIGIN = 'https://dashboard.invalid';

/** The sign-in page that leads back to `path` with its query. */
export function writeSignInPath(path: string, params: SearchParams): string {
  const pairs = Object.entries(params).flatMap(([name, value = []]) => [value].flat().map((one) => [name, one]));
  const query = new URLSearchParams(pairs).toString();
  return `/dashboard/sign-in?${new URLSearchParams({ next: query ? `${path}?${query}` : path })}`;
}

/**
 * The page to open after sign-in. `next` is user-controlled: it is parsed as a browser would, and anything outside the dashboard
 * becomes the dashboard's first page.
 */
export function readNextPath(next: unknown): string {
  if (typeof next !== 'string' || !URL.canParse(next, ORIGIN)) return HOME;
  const { origin, pathname, search } = new URL(next, ORIGIN);
  const isOwn = origin === ORIGIN && (pathname === HOME || pathname.startsWith(`${HOME}/`));
  return isOwn && !pathname.includes('//') ? pathname + search : HOME;
}
