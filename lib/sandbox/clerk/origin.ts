const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The origin that the browser sees: the request's own where that is `APP_URL` or this machine, else `APP_URL`'s.
 * A forged Host header therefore changes nothing.
 */
export function readOrigin(request: Request, appUrl: string): string {
  const app = new URL(appUrl);
  const host = request.headers.get('host');
  if (!host || !URL.canParse(`${app.protocol}//${host}`)) return app.origin;
  const seen = new URL(`${app.protocol}//${host}`);
  return LOOPBACK.has(seen.hostname) && LOOPBACK.has(app.hostname) ? seen.origin : app.origin;
}

/** `target` as an absolute URL, or null where it leaves the app: no redirect of ours leads elsewhere. */
export function resolveRedirect(target: string, origin: string): string | null {
  if (!URL.canParse(target, origin)) return null;
  const url = new URL(target, origin);
  return url.origin === origin ? url.href : null;
}
