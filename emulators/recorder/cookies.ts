// The cookies that the recorder sets in the browser, and the app's that it expires.
import { dataIdOf, type Emulator } from '../core/emulator';
import { DATA_COOKIE, readCookie, VISITOR_COOKIE } from '../core/trace-http';

/** As long as browsers keep a cookie: it has to outlive the app's. */
const DATA_SECONDS = 400 * 86_400;

const OWN = 'Path=/; HttpOnly; SameSite=Lax';

export const visitorCookie = (visitor: string): string => `${VISITOR_COOKIE}=${visitor}; ${OWN}`;

/** The names of the cookies that a browser sends. */
export const cookieNames = (header: string | undefined): string[] =>
  (header ?? '')
    .split(/;\s*/)
    .map((pair) => pair.split('=')[0] ?? '')
    .filter(Boolean);

export const expire = (name: string): string => `${name}=; Path=/; Max-Age=0`;

/**
 * The cookies that a document changes in a browser last used with another data folder, whose IDs the app does not know: a tracker
 * would keep a click of that folder. The cookies that the profile's `ids` name expire; sessions stay. A browser that was used
 * with no data folder keeps its cookies.
 * @param header the cookies that the browser sends
 */
export function cookiesForData(emulator: Emulator, header: string | undefined): { expired: string[]; set: string[] } {
  const data = dataIdOf(emulator);
  const last = readCookie(header, DATA_COOKIE);
  if (last === data) return { expired: [], set: [] };
  const ids = emulator.config.profile.ids.flatMap(({ fields }) => fields);
  const foreign = last === undefined ? [] : cookieNames(header).filter((name) => ids.includes(name));
  return { expired: foreign.map(expire), set: [`${DATA_COOKIE}=${data}; ${OWN}; Max-Age=${DATA_SECONDS}`] };
}
