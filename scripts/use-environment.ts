// What a command of ours runs on: your shell and .env files, and below them what a local run has generated. Of a provider
// with a key of yours nothing generated is used, so that the key is never sent to an address on this machine.
import { applyEmbeddedService } from '../lib/service/switch.mjs'; // part: service
import { usableVariables } from './emulators.mjs'; // part: emulators
import { loadEnvironment, readDemoEnv } from './local-env.mjs';

const env = loadEnvironment();
Object.assign(process.env, { ...usableVariables(env, readDemoEnv(env)), ...env });
applyEmbeddedService(process.env); // part: service
