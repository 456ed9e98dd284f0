// What a command of ours runs on: your shell and .env files, and below them what a local run has generated. Of a provider
// with a key of yours nothing generated is used, so that the key is never sent to an address on this machine; and where
// APP_URL is not this machine, nothing at all.
import { applyEmbeddedService } from '../lib/service/switch.mjs'; // part: service
import { isLoopback } from '../provider-addresses.mjs';
import { usableVariables } from './emulators.mjs'; // part: emulators
import { findProductionFile, loadEnvironment, readDemoEnv, SIGNING_SECRETS } from './local-env.mjs';

const { NODE_ENV } = process.env;
const env = loadEnvironment({ dev: NODE_ENV !== 'production' });
const unread = env.DATABASE_URL || NODE_ENV === 'development' ? undefined : findProductionFile('DATABASE_URL');
if (unread) {
  console.error(
    `DATABASE_URL is in ${unread}, which this command does not read. Run it with NODE_ENV=production for that database, with ` +
      'NODE_ENV=development for that of a local run.',
  );
  process.exit(1);
}
const generated = isLoopback(env.APP_URL ?? 'http://localhost') ? readDemoEnv(env) : {};
// A signing secret is never sent. With keys of yours, the relay signs with those of the local run.
const secrets = Object.fromEntries(
  SIGNING_SECRETS.flatMap((name) => (generated[name] ? [[name, generated[name]]] : [])),
);
Object.assign(process.env, { ...secrets, ...usableVariables(env, generated), ...env });
applyEmbeddedService(process.env); // part: service
