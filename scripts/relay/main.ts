// The relay as a program: npm run dev starts it if you have test keys. Usage: main.ts --target URL clerk|stripe …
import path from 'node:path';
import { parseArgs } from 'node:util';
import { isKept } from '@/lib/integration/stripe/customer';
import { applyEmbeddedService } from '@/lib/service/switch.mjs'; // part: service
import { closeDatabases } from '@/prisma/client';
import { dataDirectory, type Environment } from '../local-env.mjs';
import { stripeEndpoints } from '../webhook-endpoints.mjs';
import { readCheckpoints, writeCheckpoints } from './checkpoint';
import { clerkTargets, stripeTargets } from './endpoints';
import { ownEvents } from './ownership';
import { Relay, type Source } from './relay';
import { listNewUsers, listStripeEvents } from './sources';

const POLL_MS = 2_000;
const FIRST_WAIT_MS = 1_000;

const env: Environment = process.env;
applyEmbeddedService(env); // part: service

const { values, positionals } = parseArgs({ allowPositionals: true, options: { target: { type: 'string' } } });
const { target = 'http://localhost:3000' } = values;

/** Of a shared account, the events of this app's customers only. */
function stripeSource(): Source {
  const api = { url: env.STRIPE_API_URL ?? 'https://api.stripe.com', key: env.STRIPE_SECRET_KEY ?? '' };
  const types = [...new Set(stripeEndpoints(env).flatMap(({ events }) => events))];
  const isOwn = ownEvents(api, { isOwnCustomer: isKept, programId: env.NEXT_PUBLIC_SVC_PROGRAM_ID });
  return {
    name: 'Stripe',
    endpoints: stripeTargets(env, target),
    list: (since) => listStripeEvents(api, types, since),
    isOwn: ({ body }) => isOwn(body),
  };
}

/** Every user of the instance can sign in here, so every new one is this app's. */
function clerkSource(): Source {
  const api = { url: env.CLERK_API_URL ?? 'https://api.clerk.com', key: env.CLERK_SECRET_KEY ?? '' };
  return {
    name: 'Clerk',
    endpoints: clerkTargets(env, target),
    list: (since) => listNewUsers(api, since),
    isOwn: async () => true,
  };
}

const SOURCES = { clerk: clerkSource, stripe: stripeSource };
const log = (line: string) => console.log(`relay: ${line}`);

const file = path.join(dataDirectory(env), 'relay.json');
const checkpoints = readCheckpoints(file);
const relays = positionals.map((name) => {
  const source = Object.entries(SOURCES).find(([known]) => known === name)?.[1];
  if (!source) throw new Error(`There is no source ${name}. Sources: ${Object.keys(SOURCES).join(', ')}.`);
  return new Relay(source(), {
    checkpoint: checkpoints[name],
    keep: (checkpoint) => {
      checkpoints[name] = checkpoint;
      writeCheckpoints(file, checkpoints);
    },
    log,
    pollMs: POLL_MS,
    firstWaitMs: FIRST_WAIT_MS,
  });
});

log(
  `polls ${positionals.join(' and ')} in test mode and posts what happens to ${target}, signed with your local secrets.`,
);
log(
  'You first receive webhooks signed by the providers once you deploy. To turn the relay off: npm run dev -- --no-relay',
);
if (positionals.includes('clerk')) log("Clerk's API lists new users. Changes and deletions of users cannot be polled.");
for (const relay of relays) relay.start();

async function stop(): Promise<void> {
  await Promise.all(relays.map((relay) => relay.stop()));
  await closeDatabases();
  process.exit(0);
}
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, stop);
