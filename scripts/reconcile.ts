// `npm run reconcile`: asks the running app to find users whose `user.created` never arrived, and to report their leads.
// The same as the cron job, so that there is one way to do it.
import type { Reconciliation } from '@/lib/integration/clerk/reconcile';
import { appEnv } from '@/lib/integration/env';
import { findWarnings } from '@/lib/integration/env-rules';
import { readOptions } from './options.mjs';
import { CommandError, runCommand } from './run-command';

/** @returns what to print @throws CommandError if the app cannot be asked, or refuses */
export async function reconcile({ APP_URL, CRON_SECRET }: ReturnType<typeof appEnv>): Promise<string> {
  if (!CRON_SECRET) {
    const warning = findWarnings(process.env).find(({ variable }) => variable === 'CRON_SECRET');
    throw new CommandError(`${warning?.message} The app needs the same one.`);
  }
  const response = await fetch(new URL('/api/cron/reconcile', APP_URL), {
    headers: { authorization: `Bearer ${CRON_SECRET}` },
  }).catch(() => null);
  if (!response) throw new CommandError(`No response from ${APP_URL}. Start the app, or correct APP_URL.`);
  if (!response.ok) throw new CommandError(await explainRefusal(response, APP_URL));

  const reconciled: Reconciliation | null = await response.json().catch(() => null);
  if (!reconciled) throw new CommandError(`${APP_URL} responded with a page. Set APP_URL to the address of this app.`);
  const { users, missing, done } = reconciled;
  return [
    `Checked ${users} users (runs overlap by ten minutes); the webhooks of ${missing.length} never arrived.`,
    ...missing.map((userId) => `  ${userId}  reported now`),
    ...(done ? [] : ['Time ran out: run it again for the rest.']),
  ].join('\n');
}

/** What the app says is wrong, such as a provider that refuses its key; else what the status means. */
async function explainRefusal(response: Response, appUrl: string): Promise<string> {
  if (response.status === 401) return `${appUrl} runs with a different CRON_SECRET. Set both to the same value.`;
  if (response.status === 404) return `${appUrl} has no /api/cron/reconcile. Set APP_URL to the address of this app.`;
  const body: { error?: string } | null = await response.json().catch(() => null);
  return `${appUrl} returned ${response.status}: ${body?.error ?? 'its log says why'}`;
}

if (process.argv[1] === import.meta.filename) {
  await import('./use-environment');
  await runCommand(async () => {
    readOptions({});
    console.log(await reconcile(appEnv()));
  });
}
