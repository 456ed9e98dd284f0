// Creates a program of the embedded service, with an API key that is shown once. A local app has to be running: it brings the database.
// npm run program:create -- --name "My program" [--policy server_verified|browser_allowed] [--partner ada]...
import './use-environment';
import { parseArgs } from 'node:util';
import { createProgram } from '@/lib/service/create-program';
import { LEAD_AUTH_POLICIES } from '@/lib/service/domain/program';
import { database } from '@/prisma/client';

const { values } = parseArgs({
  options: {
    name: { type: 'string' },
    policy: { type: 'string', default: 'server_verified' },
    partner: { type: 'string', multiple: true, default: [] },
  },
});
const leadAuthPolicy = LEAD_AUTH_POLICIES.find((policy) => policy === values.policy);

if (values.name && leadAuthPolicy) {
  const partners = values.partner.map((code) => ({ code, name: code }));
  const { programId, apiKey } = await createProgram({ name: values.name, leadAuthPolicy, partners, payments: null });
  console.log(`program ID  ${programId}\nAPI key     ${apiKey}   (shown once)`);
  await database().$disconnect();
} else {
  console.error(`Give the program a --name, and as --policy one of ${LEAD_AUTH_POLICIES.join(', ')}.`);
  process.exitCode = 1;
}
