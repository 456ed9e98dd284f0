// What a command of ours runs on: your shell and .env files, and below them what a local run has generated. Of a provider
// with a key of yours nothing generated is used, so that the key is never sent to an address on this machine; and where
// APP_URL is not this machine, nothing at all.
import { applyEmbeddedService } from '../lib/service/switch.mjs'; // part: service
import { isLoopback } from '../provider-addresses.mjs';
import { usableVariables } from './emulators.mjs'; // part: emulators
import { explainUnreadDatabase, loadEnvironment, readDemoEnv } from './local-env.mjs';

const env = loadEnvironment({ dev: process.env.NODE_ENV !== 'production' });
const problem = explainUnreadDatabase(env);
if (problem) {
  console.error(problem);
  process.exit(1);
}
const generated = isLoopback(env.APP_URL ?? 'http://localhost') ? readDemoEnv(env) : {};
Object.assign(process.env, { ...usableVariables(env, generated), ...env });
applyEmbeddedService(process.env); // part: service
