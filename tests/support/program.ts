import { randomUUID } from 'node:crypto';
import { createProgram, type NewProgram } from '@/lib/service/create-program';
import { updateProgram } from '@/lib/service/dashboard/settings-queries';
import type { LeadAuthPolicy } from '@/lib/service/domain/program';

/** What a test needs to know of the program it works in. */
export type TestProgram = {
  programId: string;
  apiKey: string;
  /** Codes of partners: two active ones, and one whose links are inactive. */
  partners: { ada: string; grace: string; linus: string };
  /** True for another service, given by CONTRACT_PROGRAM and CONTRACT_API_KEY. */
  isRemote: boolean;
};

const remote = process.env.CONTRACT_PROGRAM;

/** True if the tests run against a service that is not ours: what needs a program of its own is left out. */
export const isRemote = Boolean(remote);

/**
 * A program of the test's own, with the partners ada, grace and linus (inactive) and a payment account in test mode, so that
 * all tests run in parallel.
 * Against a remote service it is the one that CONTRACT_PROGRAM names, with the partner CONTRACT_PARTNER.
 */
export async function aProgram(options: Omit<Partial<NewProgram>, 'partners'> = {}): Promise<TestProgram> {
  if (remote) {
    const partner = process.env.CONTRACT_PARTNER ?? '';
    const partners = { ada: partner, grace: partner, linus: partner };
    return { programId: remote, apiKey: process.env.CONTRACT_API_KEY ?? '', partners, isRemote };
  }
  const { programId, apiKey } = await createProgram({
    name: `Test ${randomUUID()}`,
    partners: [
      { code: 'ada', name: 'Ada' },
      { code: 'grace', name: 'Grace' },
      { code: 'linus', name: 'Linus', active: false },
    ],
    payments: { accountId: 'acct_demo', mode: 'test' },
    ...options,
  });
  return { programId, apiKey, partners: { ada: 'ada', grace: 'grace', linus: 'linus' }, isRemote };
}

/** What the dashboard's settings page does. */
export const changeProgram = (
  { programId }: TestProgram,
  change: { leadAuthPolicy: LeadAuthPolicy } | { paused: boolean },
): Promise<void> => updateProgram(programId, change);
