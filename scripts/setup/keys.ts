// The three keys: what is wrong with them as they are written, and which mode they are of. Nothing is asked here.
import { hostInPublishableKey, modeOf } from '@/lib/integration/env-rules';
import { CLERK_ENDPOINT } from '../webhook-endpoints.mjs';

export type Keys = { publishableKey: string; clerkSecretKey: string; stripeSecretKey: string };
export type KeyName = keyof Keys;
type Mode = 'test' | 'live';

type Key = {
  variable: string;
  flag: string;
  label: string;
  where: string;
  isSecret: boolean;
  prefixes: string[];
};

export const KEYS: Record<KeyName, Key> = {
  publishableKey: {
    variable: 'NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY',
    flag: 'clerk-publishable-key',
    label: 'Clerk publishable key',
    where: 'Clerk dashboard, API keys',
    isSecret: false,
    prefixes: ['pk'],
  },
  clerkSecretKey: {
    variable: 'CLERK_SECRET_KEY',
    flag: 'clerk-secret-key',
    label: 'Clerk secret key',
    where: 'Clerk dashboard, API keys',
    isSecret: true,
    prefixes: ['sk'],
  },
  stripeSecretKey: {
    variable: 'STRIPE_SECRET_KEY',
    flag: 'stripe-secret-key',
    label: 'Stripe secret key',
    where: 'Stripe dashboard, Developers, API keys',
    isSecret: true,
    prefixes: ['sk', 'rk'],
  },
};

export const KEY_NAMES = Object.keys(KEYS) as KeyName[];

/** Every problem that can be seen without asking a provider, each with its remedy. */
export function findKeyProblems(keys: Keys, { isLiveAllowed }: { isLiveAllowed: boolean }): string[] {
  const malformed = KEY_NAMES.flatMap((name) => findMalformation(name, keys[name]));
  return malformed.length > 0 ? malformed : findModeProblems(keys, isLiveAllowed);
}

function findMalformation(name: KeyName, value: string): string[] {
  const { variable, where, prefixes } = KEYS[name];
  const expected = prefixes.map((prefix) => `${prefix}_test_… or ${prefix}_live_…`).join(', or ');
  const advice = `Copy it again: ${where}.`;
  if (!/^[\x21-\x7e]+$/.test(value)) return [`${variable} has spaces or characters that no key has. ${advice}`];
  if (value.startsWith('whsec_')) {
    return [`${variable} is a webhook signing secret (such as ${CLERK_ENDPOINT.variable}). ${advice}`];
  }
  const isKnown = prefixes.some((prefix) => value.startsWith(`${prefix}_`)) && modeOf(value) !== null;
  if (!isKnown) return [`${variable} is malformed (has to be ${expected}). ${advice}`];
  if (/^[a-z]+_(test|live)_$/.test(value)) return [`${variable} has only its prefix. ${advice}`];
  if (name === 'publishableKey' && !hostInPublishableKey(value)) {
    return [`${variable} is malformed (has no host of a Clerk instance in it). ${advice}`];
  }
  return [];
}

function findModeProblems(keys: Keys, isLiveAllowed: boolean): string[] {
  const modes = KEY_NAMES.map((name) => ({ variable: KEYS[name].variable, mode: modeOf(keys[name]) }));
  const namesOf = (wanted: Mode) => modes.filter(({ mode }) => mode === wanted).map(({ variable }) => variable);
  const [live, test] = [namesOf('live'), namesOf('test')];
  if (live.length > 0 && test.length > 0) {
    return [`${live.join(' and ')} in live mode, ${test.join(' and ')} in test mode: use one mode for all three.`];
  }
  if (live.length > 0 && !isLiveAllowed) {
    return ['These are live keys: real users, real money. Use test keys, or run the command again with --live.'];
  }
  return [];
}
