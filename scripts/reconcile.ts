// npm run reconcile: asks the running app to find users whose `user.created` never arrived, and to report their leads.
// The same as the cron job, so that there is one way to do it.
import './use-environment';
import { appEnv } from '@/lib/integration/env';
import { readOptions } from './options.mjs';
import { reconcile } from './reconciliation';
import { runCommand } from './run-command';

await runCommand(async () => {
  readOptions({});
  console.log(await reconcile(appEnv()));
});
