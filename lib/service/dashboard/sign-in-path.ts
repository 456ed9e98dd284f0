import type { SearchParams } from './event-filter.ts';

const HOME = '/dashboard';
/** Stands for whatever origin the dashboard has. */
const ORIGIN = 'https://dashboard.invalid';

/** The sign-in page that leads back to `path` with its query. */
export function writeSignInPath(path: string, params: SearchParams): string {
  const pairs = Object.entries(params).flatMap(([name, value = []]) => [value].flat().map((one) => [name, one]));
  const query = new URLSearchParams(pairs).toString();
  return `/dashboard/sign-in?${new URLSearchParams({ next: query ? `${path}?${query}` : path })}`;
}

/**
 * The page that follows the sign-in. `next` is user-controlled: it is read as a browser reads it, and what leads elsewhere
 * than to the dashboard becomes the first page.
 */
export function readNextPath(next: unknown): string {
  if (typeof next !== 'string' || !URL.canParse(next, ORIGIN)) return HOME;
  const { origin, pathname, search } = new URL(next, ORIGIN);
  const isOwn = origin === ORIGIN && (pathname === HOME || pathname.startsWith(`${HOME}/`));
  return isOwn && !pathname.includes('//') ? pathname + search : HOME;
}
