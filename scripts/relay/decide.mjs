// Which providers a local run polls: those with test keys of yours, since their webhooks do not reach this machine.
import { isLoopback } from '../../provider-addresses.mjs';

/** @typedef {import('../local-env.mjs').Environment} Environment */

const PROVIDERS = {
  clerk: { key: 'CLERK_SECRET_KEY', address: 'CLERK_API_URL' },
  stripe: { key: 'STRIPE_SECRET_KEY', address: 'STRIPE_API_URL' },
};

/**
 * What to do for each provider: `relay` with a test key, `live` if its deliveries are real and the relay keeps off, `none`
 * if no key is set. A provider on this machine is never live.
 * @param {Environment} env the variables that you set @returns {Record<'clerk' | 'stripe', 'relay' | 'live' | 'none'>}
 */
export function decideRelayed(env) {
  const decide = (/** @type {{ key: string, address: string }} */ { key, address }) => {
    const value = env[key];
    if (!value) return 'none';
    return /^[a-z]+_test_/.test(value) || isLoopback(env[address] ?? '') ? 'relay' : 'live';
  };
  return { clerk: decide(PROVIDERS.clerk), stripe: decide(PROVIDERS.stripe) };
}
