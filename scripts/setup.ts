// npm run setup: your keys, in test mode, in one command; `-- --deployed https://…` prepares a deployment. Safe to re-run.
import { parseArgs } from 'node:util';
import { loadEnvironment } from './local-env.mjs';
import { ask } from './setup/ask';
import { type Deployment, setUpDeployed } from './setup/deployed';
import { KEY_NAMES, KEYS, type Keys } from './setup/keys';
import { type GivenKeys, type Setup, setUpLocal } from './setup/local';
import { Report, StepFailed } from './setup/report';

const USAGE = `npm run setup [-- OPTIONS]

  --clerk-publishable-key KEY, --clerk-secret-key KEY, --stripe-secret-key KEY
                    in place of the questions; keys set in your shell or .env.local are used without asking
  --keyless         no Clerk account: a temporary development instance, created by Clerk's keyless mode; an existing one is kept
  --live            allows live keys
  --deployed URL    prepares a deployment: Stripe's webhook endpoints, the variables for the host, the steps in Clerk
  --dry-run         says what would be done, and changes nothing
  --json            one JSON document in place of text; asks no questions`;

const string = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;

function readOptions() {
  const { values } = parseArgs({
    options: {
      'clerk-publishable-key': string,
      'clerk-secret-key': string,
      'stripe-secret-key': string,
      keyless: flag,
      live: flag,
      deployed: string,
      'dry-run': flag,
      json: flag,
      help: { ...flag, short: 'h' },
    },
  });
  return values;
}

type Options = ReturnType<typeof readOptions>;

/** Flags before variables before questions. */
async function collectKeys(options: Options, env: Setup['env'], wanted: (keyof Keys)[]): Promise<GivenKeys> {
  const keys: GivenKeys = { isKeyless: options.keyless };
  const canAsk = process.stdin.isTTY && !options.json;
  for (const name of wanted) {
    if (keys.isKeyless && name !== 'stripeSecretKey') continue;
    const { flag: option, variable, label, where, isSecret } = KEYS[name];
    const given = Object.entries(options).find(([key]) => key === option)?.[1];
    const known = (typeof given === 'string' ? given : env[variable])?.trim();
    const isOptional = name === 'publishableKey';
    const hint = isOptional ? `${where}; empty = a temporary instance without an account` : where;
    const answer = known || (canAsk ? await ask(`${label} (${hint}): `, { isSecret }) : '');
    if (answer) keys[name] = answer;
    else if (canAsk && isOptional) keys.isKeyless = true;
    else throw new Error(`${variable} is missing. Pass --${option}, or set it. Where to find it: ${where}.`);
  }
  return keys;
}

function describeDeployment({ variables, clerkSteps }: Deployment): string {
  const lines = variables.map(({ name, value, note }) => (value ? `${name}=${value}` : `${name}=   # ${note}`));
  const steps = clerkSteps.map((step, index) => `  ${index + 1}. ${step}`);
  return ['', 'Variables for the host:', '', ...lines, '', 'In the Clerk dashboard:', '', ...steps].join('\n');
}

async function run(options: Options): Promise<void> {
  const report = new Report({ isDryRun: options['dry-run'], print: options.json ? () => {} : console.log });
  const env = loadEnvironment();
  const setup: Setup = {
    directory: process.cwd(),
    env,
    isLiveAllowed: options.live,
    isDryRun: options['dry-run'],
    report,
  };
  let result = {};
  try {
    if (options.deployed !== undefined) {
      const other = (['keyless', 'clerk-publishable-key', 'clerk-secret-key'] as const).find((name) => options[name]);
      if (other) throw new Error(`--deployed changes nothing at Clerk: leave out --${other}.`);
      const { stripeSecretKey = '' } = await collectKeys(options, env, ['stripeSecretKey']);
      const deployment = await setUpDeployed(setup, options.deployed, stripeSecretKey);
      result = deployment;
      if (!deployment.isComplete) process.exitCode = 1;
      if (!options.json) console.log(describeDeployment(deployment));
    } else {
      result = await setUpLocal(setup, await collectKeys(options, env, KEY_NAMES));
      if (!options.json && !setup.isDryRun) console.log('\nStart the app: npm run dev');
    }
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    process.exitCode = 1;
  }
  if (options.json) console.log(JSON.stringify({ ok: !process.exitCode, steps: report.steps, ...result }, null, 2));
}

try {
  const options = readOptions();
  if (options.help) console.log(USAGE);
  else await run(options);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  const isUsage = error instanceof TypeError && 'code' in error;
  if (process.argv.includes('--json')) console.log(JSON.stringify({ ok: false, error: message }, null, 2));
  else console.error(isUsage ? `${message}\n\n${USAGE}` : message);
  process.exitCode = 1;
}
