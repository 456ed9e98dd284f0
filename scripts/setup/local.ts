// Set-up on your machine: three keys, .env.local, and what the shop needs in Stripe. Safe to repeat.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { connectStripe } from '@/lib/integration/stripe/client';
import type { Environment } from '../local-env.mjs';
import { checkInstance, createInstance } from './clerk';
import { decideDataDirectory, ENV_FILE, newSecrets, readEnvFile, type Variables, writeEnvFile } from './env-file';
import { findKeyProblems, KEY_NAMES, KEYS, type KeyName, type Keys, modeOf } from './keys';
import type { Report } from './report';
import { createCatalogue, createPortal } from './stripe';

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

/** @throws StepFailed where a step has failed; everything before it is done, and repeating the command continues */
export async function setUpLocal(setup: Setup, given: GivenKeys): Promise<{ mode: string; dataDirectory: string }> {
  const { directory, env, isDryRun, report } = setup;
  const { keys } = await prepareKeys(setup, given);
  const stripe = await checkKeys(setup, keys);

  const { values } = await report.run(
    ENV_FILE,
    `Check that ${path.resolve(directory)} can be written to.`,
    async () => {
      const existing = readEnvFile(directory);
      const written: Variables = {
        ...Object.fromEntries(KEY_NAMES.map((name) => [KEYS[name].variable, keys[name]])),
        DATA_DIR: chooseDataDirectory(directory, existing, keys),
        ...newSecrets({ ...env, ...existing }),
      };
      if (!isDryRun) writeEnvFile(directory, written);
      const names = Object.keys(written).filter((name) => existing[name] !== written[name]);
      const done = isDryRun ? 'would write' : 'wrote';
      return { values: written, detail: names.length > 0 ? `${done} ${names.join(', ')}` : 'has everything already' };
    },
  );
  const again = "See the key's permissions, then run npm run setup again: what is there stays.";
  await report.run('Products and prices', again, () => createCatalogue(stripe, { isDryRun }));
  await report.run('Billing portal', again, () => createPortal(stripe, { isDryRun }));
  return { mode: modeOf(keys.stripeSecretKey) ?? '', dataDirectory: values.DATA_DIR ?? '' };
}

async function prepareKeys({ env, isLiveAllowed, isDryRun, report }: Setup, given: GivenKeys) {
  const remedy = 'Correct it and run npm run setup again. Nothing was written.';
  return report.run('Keys', remedy, async () => {
    const { stripeSecretKey = '' } = given;
    if (!given.isKeyless) {
      const { publishableKey = '', clerkSecretKey = '' } = given;
      const keys = { publishableKey, clerkSecretKey, stripeSecretKey };
      assertNoProblems(findKeyProblems(keys, { isLiveAllowed }));
      return { keys, detail: `three keys of ${modeOf(stripeSecretKey)} mode` };
    }
    assertNoProblems(findKeyProblems({ ...PLACEHOLDERS, stripeSecretKey }, { isLiveAllowed: false }));
    if (isDryRun) return { keys: { ...PLACEHOLDERS, stripeSecretKey }, detail: 'a Clerk instance would be created' };
    const { claimUrl, ...clerk } = await createInstance(env);
    const detail = `a temporary Clerk instance, without an account. To keep it, claim it: ${claimUrl}`;
    return { keys: { ...clerk, stripeSecretKey }, detail };
  });
}

/** In place of keys that a dry run in keyless mode does not have: they are well-formed and lead nowhere. */
const PLACEHOLDERS = {
  publishableKey: `pk_test_${Buffer.from('keyless.clerk.invalid$').toString('base64')}`,
  clerkSecretKey: 'sk_test_keyless',
};

function assertNoProblems(problems: string[]): void {
  if (problems.length > 0) throw new Error(problems.join(' '));
}

async function checkKeys({ env, report }: Setup, keys: Keys) {
  const isPlaceholder = keys.clerkSecretKey === PLACEHOLDERS.clerkSecretKey;
  if (!isPlaceholder) {
    const remedy = `Copy both keys from one page: ${KEYS.clerkSecretKey.where}. Nothing was written.`;
    await report.run('Clerk', remedy, async () => ({ detail: `both keys are of ${await checkInstance(keys, env)}` }));
  }
  const stripe = connectStripe(keys.stripeSecretKey, env.STRIPE_API_URL);
  const remedy = `Copy the key again: ${KEYS.stripeSecretKey.where}. Nothing was written.`;
  await report.run('Stripe', remedy, async () => {
    await stripe.products.list({ limit: 1 });
    return { detail: `the key opens ${env.STRIPE_API_URL ?? 'the account'}` };
  });
  return stripe;
}

function chooseDataDirectory(directory: string, existing: Environment, keys: Keys): string {
  const compared: KeyName[] = ['publishableKey', 'stripeSecretKey'];
  const isSameKeys = compared.every((name) => existing[KEYS[name].variable] === keys[name]);
  return decideDataDirectory({ current: existing.DATA_DIR, isSameKeys }, (folder) =>
    existsSync(path.resolve(directory, folder)),
  );
}
