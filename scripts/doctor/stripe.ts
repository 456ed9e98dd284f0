// Stripe: the key and its mode, the prices against the plans, the portal's configuration, and the webhook endpoints.
import type Stripe from 'stripe';
import { appEnv, stripeEnv } from '@/lib/integration/env';
import { isLocal, modeOf } from '@/lib/integration/env-rules';
import type { Plan } from '@/lib/integration/plans';
import { stripeClient } from '@/lib/integration/stripe/client';
import { findConfiguration } from '@/lib/integration/stripe/portal';
import { type CatalogState, compareCatalog } from '@/lib/shop/catalog';
import { explainStripeFailure, isStripeFailure } from '../run-command';
import {
  compareEndpoint,
  describeVersion,
  type EndpointDifference,
  lackedEvents,
  OLDEST_VERSION,
} from '../setup/stripe';
import { stripeEndpoints } from '../webhook-endpoints.mjs';
import { blocker, explainError, type Finding, ok, warning } from './report';

export async function examineStripe(): Promise<Finding[]> {
  const stripe = stripeClient();
  const [catalog, { id: portal }, endpoints] = await Promise.all([
    compareCatalog(stripe),
    findConfiguration(stripe),
    examineEndpoints(stripe),
  ]);
  return [
    ok('Stripe', `the key is accepted, ${modeOf(stripeEnv().STRIPE_SECRET_KEY) ?? 'unknown'} mode`),
    ...describeCatalog(catalog),
    portal
      ? ok('Portal', 'it has a configuration for these plans')
      : warning(
          'Portal',
          'it has no configuration for these plans yet.',
          'The app creates one at the first visit; `npm run setup` creates it now.',
        ),
    ...endpoints,
  ];
}

export function explainStripe(error: unknown): Finding[] {
  if (!isStripeFailure(error)) return [explainError('Stripe', error)];
  const isKey = error.type === 'StripeAuthenticationError';
  const action = isKey
    ? "Clerk's secret key starts with sk_test_ too: is it in STRIPE_SECRET_KEY?"
    : 'Nothing can be sold until this works.';
  return [blocker('Stripe', explainStripeFailure(error), action)];
}

type Compared = {
  plan: Plan;
  owner: Pick<Stripe.Price, 'unit_amount' | 'currency' | 'active'> | undefined;
  state: CatalogState;
};

/** The prices of the account against the plans of the code. */
export function describeCatalog(compared: Compared[]): Finding[] {
  const differing = compared.filter(({ state }) => state !== 'found');
  if (differing.length === 0) return [ok('Prices', `${compared.length} plans, each with its price`)];
  return differing.map(({ plan, owner, state }) => {
    if (state === 'completed') {
      const effect = 'so the billing portal offers no change of plan.';
      return warning('Prices', `the price of ${plan.name} has no tax behavior, ${effect}`, '`npm run setup` sets it.');
    }
    const action = '`npm run setup` creates the prices that are missing and replaces those that have changed.';
    if (!owner) return blocker('Prices', `Stripe has no price for ${plan.name}, in this mode of this account.`, action);
    if (!owner.active) return blocker('Prices', `the price of ${plan.name} is archived.`, action);
    if (owner.unit_amount === plan.amount && owner.currency === plan.currency) {
      return blocker(
        'Prices',
        `the price of ${plan.name} belongs to another or an archived product, or has another billing interval.`,
        action,
      );
    }
    const [is, wanted] = [`${owner.unit_amount} ${owner.currency}`, `${plan.amount} ${plan.currency}`];
    return blocker('Prices', `${plan.name} costs ${is} in Stripe and ${wanted} in lib/integration/plans.ts.`, action);
  });
}

async function examineEndpoints(stripe: Stripe): Promise<Finding[]> {
  const { APP_URL } = appEnv();
  if (isLocal(APP_URL)) {
    const { data } = await stripe.events.list({ limit: 1 });
    return [
      ok('Stripe endpoints', `Stripe cannot reach ${APP_URL}: events come through the relay, a tunnel or the CLI`),
      ...describeEventVersion(data[0]?.api_version),
    ];
  }
  const { data } = await stripe.webhookEndpoints.list({ limit: 100 });
  return stripeEndpoints(process.env).flatMap((endpoint) =>
    describeEndpoint(compareEndpoint(`${APP_URL}${endpoint.path}`, endpoint, data), endpoint.events),
  );
}

/** Polled and forwarded events have the account's API version, whatever the SDK's is. */
export function describeEventVersion(version: string | null | undefined): Finding[] {
  const check = 'Stripe events';
  if (!version) return []; // the account has none yet
  if (version >= OLDEST_VERSION) return [ok(check, `the account's version is ${version}, and the webhooks read it`)];
  return [
    blocker(
      check,
      `the account's version is ${version}, and the webhooks read ${OLDEST_VERSION} and later.`,
      'Upgrade it (Stripe dashboard, Developers, Overview, API version), or forward events with `stripe listen --latest`.',
    ),
  ];
}

/** One endpoint of the account against what the app needs there. */
export function describeEndpoint(difference: EndpointDifference, events: readonly string[]): Finding[] {
  const { url, state } = difference;
  const check = 'Stripe endpoints';
  const action = `\`npm run setup -- --deployed ${URL.canParse(url) ? new URL(url).origin : 'https://…'}\` creates and completes the endpoints.`;
  switch (state) {
    case 'current':
      return [ok(check, `${url} gets its ${events.length} events, API version ${difference.endpoint.api_version}`)];
    case 'missing':
      return [blocker(check, `no endpoint in this mode of this account leads to ${url}.`, action)];
    case 'disabled':
      return [blocker(check, `${url} is disabled.`, action)];
    case 'events':
      return [blocker(check, `${url} does not get ${lackedEvents(difference.endpoint, events).join(', ')}.`, action)];
    case 'version': {
      const { detail, action } = describeVersion(difference);
      const { endpoint } = difference;
      const isInUse = endpoint.status !== 'disabled' && lackedEvents(endpoint, events).length === 0;
      return [(isInUse ? warning : blocker)(check, detail, action)];
    }
    default:
      return difference satisfies never;
  }
}
