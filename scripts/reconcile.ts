// npm run reconcile: asks the running app to find users whose `user.created` never arrived, and to report their leads.
// The same as the hourly cron job, so that there is one way to do it.
import './use-environment';
import { appEnv } from '@/lib/integration/env';

const { APP_URL, CRON_SECRET } = appEnv();
const response = await fetch(new URL('/api/cron/reconcile', APP_URL), {
  headers: { authorization: `Bearer ${CRON_SECRET}` },
}).catch(() => null);

if (!response) {
  console.error(
    `Nothing answers at ${APP_URL}. Start the app, or set APP_URL and CRON_SECRET to those of the one you mean.`,
  );
} else if (!response.ok) {
  console.error(`${APP_URL} answered ${response.status}. Is CRON_SECRET the one that the app runs with?`);
} else {
  const { users, missing } = (await response.json()) as { users: number; missing: string[] };
  console.log(`${users} users were created since the last run; the webhooks of ${missing.length} never arrived.`);
  for (const userId of missing) console.log(`  ${userId}  reported now`);
}
process.exitCode = response?.ok ? 0 : 1;
