// Set-up on your machine: three keys, .env.local, and what the shop needs in Stripe. Safe to repeat.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { modeOf } from '@/lib/integration/env-rules';
import { connectStripe } from '@/lib/integration/stripe/client';
import { dataDirectory, type Environment } from '../local-env.mjs';
import { checkInstance, createInstance } from './clerk';
import {
  decideDataDirectory,
  ENV_FILE,
  findOverridden,
  newSecrets,
  readEnvFile,
  type Variables,
  writeEnvFile,
} from './env-file';
import { findKeyProblems, KEY_NAMES, KEYS, type KeyName, type Keys } from './keys';
import type { Report } from './report';
import { createCatalog, createPortal } from './stripe';

export type Setup = {
  /** Where .env.local is. */
  directory: string;
  /** Your shell and .env files. What a run on the emulators has generated is not in it. */ // part: emulators
  env: Environment;
  isLiveAllowed: boolean;
  isDryRun: boolean;
  report: Report;
};

export type GivenKeys = Partial<Keys> & {
  /** Clerk's keyless mode, in place of its two keys. */
  isKeyless: boolean;
};

/** @throws StepFailed if a step has failed; everything before it is done, and repeating the command continues */
export async function setUpLocal(setup: Setup, asked: GivenKeys): Promise<{ mode: string; dataDirectory: string }> {
  const { directory, env, isDryRun, report } = setup;
  const given = asked.isKeyless ? { ...asked, ...keptClerkKeys(directory) } : asked;
  await checkForm(setup, given);
  const { stripeSecretKey = '' } = given;
  const { stripe } = await checkStripe(setup, stripeSecretKey);
  const clerk = isNewInstance(given) ? await createClerk(setup) : await checkClerk(setup, given);
  const keys: Keys = { ...clerk, stripeSecretKey };

  const { values } = await report.run(
    ENV_FILE,
    `Check that ${path.resolve(directory)} can be written to.`,
    async () => {
      const existing = readEnvFile(directory);
      const written: Variables = {
        ...Object.fromEntries(KEY_NAMES.map((name) => [KEYS[name].variable, keys[name]])),
        DATA_DIR: chooseDataDirectory(directory, env, existing, keys),
        ...newSecrets({ ...env, ...existing }),
      };
      const overridden = findOverridden(directory, written, env);
      if (!isDryRun) writeEnvFile(directory, written);
      const names = Object.keys(written).filter((name) => existing[name] !== written[name]);
      const done = isDryRun ? 'would write' : 'wrote';
      const detail = names.length > 0 ? `${done} ${names.join(', ')}` : 'has everything already';
      const warning =
        overridden.length > 0
          ? `. Your shell or .env.development.local has other values, which a run takes: ${overridden.join(', ')}`
          : '';
      return { values: written, detail: detail + warning };
    },
  );
  const again = 'Then run npm run setup again: it is safe to re-run.';
  await report.run('Products and prices', again, () => createCatalog(stripe, { isDryRun }));
  await report.run('Billing portal', again, () => createPortal(stripe, { isDryRun }));
  return { mode: modeOf(stripeSecretKey) ?? '', dataDirectory: values.DATA_DIR ?? '' };
}

/** In place of keys that keyless mode does not have yet: they are well-formed, of test mode, and lead nowhere. */
const PLACEHOLDERS = {
  publishableKey: `pk_test_${Buffer.from('keyless.clerk.invalid$').toString('base64')}`,
  clerkSecretKey: 'sk_test_keyless',
};

/** The instance that an earlier call has made. */
function keptClerkKeys(directory: string): Partial<Keys> {
  const existing = readEnvFile(directory);
  const publishableKey = existing[KEYS.publishableKey.variable];
  const clerkSecretKey = existing[KEYS.clerkSecretKey.variable];
  return publishableKey && clerkSecretKey ? { publishableKey, clerkSecretKey } : {};
}

const isNewInstance = ({ isKeyless, publishableKey }: GivenKeys) => isKeyless && !publishableKey;

function checkForm({ isLiveAllowed, report }: Setup, given: GivenKeys) {
  const { publishableKey = '', clerkSecretKey = '', stripeSecretKey = '' } = given;
  const clerk = isNewInstance(given) ? PLACEHOLDERS : { publishableKey, clerkSecretKey };
  return report.run('Keys', 'Correct it and run npm run setup again. Nothing was written.', async () => {
    const problems = findKeyProblems({ ...clerk, stripeSecretKey }, { isLiveAllowed });
    if (problems.length > 0) throw new Error(problems.join(' '));
    return { detail: `all in ${modeOf(stripeSecretKey)} mode` };
  });
}

function checkStripe({ env, report }: Setup, key: string) {
  return report.run('Stripe', 'Nothing was written.', async () => {
    const stripe = connectStripe(key, env.STRIPE_API_URL);
    await stripe.products.list({ limit: 1 });
    return { stripe, detail: `the key is accepted by ${env.STRIPE_API_URL ?? 'Stripe'}` };
  });
}

async function checkClerk({ env, report }: Setup, given: GivenKeys) {
  const { publishableKey = '', clerkSecretKey = '', isKeyless } = given;
  const keys = { publishableKey, clerkSecretKey };
  const advice = isKeyless
    ? `Remove both keys from ${ENV_FILE} for a new instance.`
    : `Copy both keys from one page: ${KEYS.clerkSecretKey.where}.`;
  const remedy = `${advice} Nothing was written.`;
  await report.run('Clerk', remedy, async () => ({ detail: `both keys belong to ${await checkInstance(keys, env)}` }));
  return keys;
}

async function createClerk({ env, isDryRun, report }: Setup) {
  const remedy = 'Try again later, or create an application at https://dashboard.clerk.com. Nothing was written.';
  const { publishableKey, clerkSecretKey } = await report.run('Clerk', remedy, async () => {
    if (isDryRun) return { ...PLACEHOLDERS, detail: 'a temporary instance would be created' };
    const { claimUrl, ...keys } = await createInstance(env);
    return { ...keys, detail: `a temporary instance, without an account. To keep it, claim it: ${claimUrl}` };
  });
  return { publishableKey, clerkSecretKey };
}

function chooseDataDirectory(directory: string, env: Environment, existing: Environment, keys: Keys): string {
  const compared: KeyName[] = ['publishableKey', 'stripeSecretKey'];
  const isSameKeys = compared.every((name) => existing[KEYS[name].variable] === keys[name]);
  const current = existing.DATA_DIR || env.DATA_DIR || (isSameKeys ? dataDirectory({}) : undefined);
  return decideDataDirectory({ current, isSameKeys }, (folder) => existsSync(path.resolve(directory, folder)));
}
