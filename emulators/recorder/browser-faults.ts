// The faults that affect one browser, for the bar on its pages: those for all customers, those of the customers who were
// seen in it, and its own blocker. Faults of other customers, such as a running scenario's, are not shown there.
import type { Emulator } from '../core/emulator';
import { type ActiveFault, listFaults, TRACKER_BLOCKED, titleOf } from '../core/faults';
import { clearFaults } from '../core/set-faults';
import { BLOCKER_COOKIE, readCookie, VISITOR_COOKIE } from '../core/trace-http';

async function faultsFor({ database, trace }: Emulator, cookies: string | undefined): Promise<ActiveFault[]> {
  const visitor = readCookie(cookies, VISITOR_COOKIE);
  const faults = await database.query(listFaults);
  const concerned = await Promise.all(
    faults.map(async ({ subject }) => subject === '' || (visitor && (await trace.findVisitor(subject)) === visitor)),
  );
  return faults.filter((_, index) => concerned[index]);
}

/** By title, each once. */
export async function listBrowserFaults(
  emulator: Emulator,
  cookies: string | undefined,
): Promise<Array<{ title: string }>> {
  const titles = (await faultsFor(emulator, cookies)).map(({ name, value }) => titleOf(name, value));
  if (readCookie(cookies, BLOCKER_COOKIE) === 'on') titles.push(TRACKER_BLOCKED);
  return [...new Set(titles)].map((title) => ({ title }));
}

/** Turns off what is listed, except the blocker: the response has to expire its cookie. */
export async function clearBrowserFaults(emulator: Emulator, cookies: string | undefined): Promise<void> {
  await clearFaults(emulator, await faultsFor(emulator, cookies));
}
