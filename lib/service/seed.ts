import 'server-only';
import { createProgram } from './create-program';
import type { HistoryProgram } from './demo/plan-history';
import { writeHistory } from './demo/write-history';
import { serviceEnv } from './env';

const PARTNERS = [
  { code: 'ada', name: 'Ada Keller' },
  { code: 'grace', name: 'Grace Okafor' },
  { code: 'linus', name: 'Linus Berg', active: false },
];

/** A local run is in test mode, as its payment account is. */
const DEMO_PAYMENTS = { accountId: 'acct_demo', mode: 'test' } as const;

const HISTORIES: HistoryProgram[] = [
  { programId: 'prg_demo', seed: 20_261_122, isBrowserAllowed: false, clicksPerDay: 26 },
  { programId: 'prg_open', seed: 4_042, isBrowserAllowed: true, clicksPerDay: 9 },
];

/** The demo programs, one of each lead auth policy (§2), with this machine's API keys; does nothing if there are none. */
export async function seedService(): Promise<void> {
  const { SVC_API_KEY, SVC_OPEN_API_KEY } = serviceEnv();
  if (!SVC_API_KEY || !SVC_OPEN_API_KEY) return;
  const demo = { partners: PARTNERS, payments: DEMO_PAYMENTS };
  await createProgram({ ...demo, id: 'prg_demo', name: 'Larkdesk partners', apiKey: SVC_API_KEY });
  await createProgram({
    ...demo,
    id: 'prg_open',
    name: 'Larkdesk partners, browser allowed',
    leadAuthPolicy: 'browser_allowed',
    apiKey: SVC_OPEN_API_KEY,
  });
}

/** Eight weeks of history for the demo programs, for local runs. Tests start with an empty feed. */
export async function seedHistory(now: Date): Promise<void> {
  const { SVC_API_KEY, SVC_OPEN_API_KEY } = serviceEnv();
  if (!SVC_API_KEY || !SVC_OPEN_API_KEY) return;
  for (const program of HISTORIES) await writeHistory(program, now);
}
