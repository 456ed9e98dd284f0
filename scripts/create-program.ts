// Creates a program of the embedded service, with an API key that is shown once. Its tables have to be there: a local app that
// is running has them, a database of your own after `npx prisma migrate deploy`.
// npm run program:create -- --name "My program" [--policy server_verified|browser_allowed] [--partner ada]...
import './use-environment';
import { createProgram } from '@/lib/service/create-program';
import { LEAD_AUTH_POLICIES } from '@/lib/service/domain/program';
import { readOptions } from './options.mjs';
import { CommandError, requireDatabase, runCommand } from './run-command';

await runCommand(async () => {
  const values = readOptions({
    name: { type: 'string' },
    policy: { type: 'string', default: 'server_verified' },
    partner: { type: 'string', multiple: true, default: [] },
  });
  const leadAuthPolicy = LEAD_AUTH_POLICIES.find((policy) => policy === values.policy.replace('-', '_')); // §2 writes a hyphen
  if (!values.name || !leadAuthPolicy) {
    throw new CommandError(`Pass --name; --policy is one of ${LEAD_AUTH_POLICIES.join(', ')}.`);
  }
  await requireDatabase();
  const partners = values.partner.map((code) => ({ code, name: code }));
  const { programId, apiKey } = await createProgram({ name: values.name, leadAuthPolicy, partners });
  console.log(`program ID  ${programId}\nAPI key     ${apiKey}   (shown once)`);
});
