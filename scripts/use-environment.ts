// What a command of ours runs on: your shell and .env files, and below them what a local run has generated.
import { applySandbox } from '../lib/sandbox/switch.mjs';
import { applyEmbeddedService } from '../lib/service/switch.mjs';
import { loadEnvironment, readDemoEnv } from './local-env.mjs';

const env = loadEnvironment();
Object.assign(process.env, { ...readDemoEnv(env), ...env });
applySandbox(process.env);
applyEmbeddedService(process.env);
