// Which addresses belong to the app: only these may call the Frontend API, and only to these does it redirect.
import type { Config } from '../core/config';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** The origin of an address, with this machine's other names if it is local. */
function variantsOf(address: string): string[] {
  const { origin, protocol, hostname, port } = new URL(address);
  if (!LOOPBACK.includes(hostname)) return [origin];
  return LOOPBACK.map((name) => new URL(`${protocol}//${name}${port && `:${port}`}`).origin);
}

/** The app's origins first, then the emulators' own, which serves the Account Portal. */
export const allowedOrigins = (config: Config): string[] => [...variantsOf(config.appUrl), ...variantsOf(config.url)];

/** The app's origin as this page's visitor sees it, for the `azp` of a session token: never the emulators'. */
export function appOrigin(config: Config, seen: string | undefined): string {
  return seen !== undefined && variantsOf(config.appUrl).includes(seen) ? seen : new URL(config.appUrl).origin;
}

/** `target` as an absolute URL, or null if it leaves the app and the emulators. */
export function resolveRedirect(config: Config, target: string): string | null {
  if (!URL.canParse(target, config.appUrl)) return null;
  const url = new URL(target, config.appUrl);
  return allowedOrigins(config).includes(url.origin) ? url.href : null;
}
