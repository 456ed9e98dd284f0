// What set-up makes in the Stripe account: products and prices, the billing portal's configuration, and webhook endpoints.
import Stripe from 'stripe';
import { ensureConfiguration, findConfiguration } from '@/lib/integration/stripe/portal';
import { type CatalogState, compareCatalog, setUpCatalog } from '@/lib/shop/catalog';
import type { StripeEndpoint } from '../webhook-endpoints.mjs';

type Options = { isDryRun: boolean };

const UP_TO_DATE = 'up to date';

const DONE: Record<CatalogState, string> = {
  found: UP_TO_DATE,
  completed: 'got a tax behavior',
  created: 'created',
  replaced: 'replaced, as the plan has changed',
};
const PLANNED: Record<CatalogState, string> = {
  found: UP_TO_DATE,
  completed: 'would get a tax behavior',
  created: 'would be created',
  replaced: 'would be replaced, as the plan has changed',
};

/** Creates the products and prices that are missing, and replaces the prices of plans that have changed. */
export async function createCatalog(stripe: Stripe, { isDryRun }: Options): Promise<{ detail: string }> {
  if (isDryRun) {
    const found = await compareCatalog(stripe);
    return summarize(found.map(({ plan, state }) => ({ plan: plan.name, state: PLANNED[state] })));
  }
  return summarize((await setUpCatalog(stripe)).map(({ plan, state }) => ({ plan, state: DONE[state] })));
}

function summarize(plans: Array<{ plan: string; state: string }>): { detail: string } {
  const states = [...new Set(plans.map(({ state }) => state))];
  const groups = states.map((state) => {
    const names = plans.filter((entry) => entry.state === state).map(({ plan }) => plan);
    return `${state}: ${names.join(', ')}`;
  });
  return { detail: groups.join('; ') };
}

/** Creates the portal's configuration for the plans of today: cancel, change the plan, replace the card. */
export async function createPortal(stripe: Stripe, { isDryRun }: Options): Promise<{ detail: string }> {
  if (isDryRun) {
    const { id } = await findConfiguration(stripe);
    return { detail: id ? `${UP_TO_DATE}: ${id}` : 'would be created: cancel, change the plan' };
  }
  const { id, isNew } = await ensureConfiguration(stripe);
  return { detail: isNew ? `${id} created: cancel, change the plan` : `${UP_TO_DATE}: ${id}` };
}

export type EndpointDifference = { url: string } & (
  | { state: 'missing' }
  | { state: 'current' | 'events' | 'disabled' | 'version'; endpoint: Stripe.WebhookEndpoint }
);

/** The oldest shape of events that the handlers are tested with. */
export const OLDEST_VERSION = '2024-06-20';

/** How the account's endpoint at a URL differs from what is wanted there. */
export function compareEndpoint(
  url: string,
  { events }: Pick<StripeEndpoint, 'events'>,
  endpoints: Stripe.WebhookEndpoint[],
): EndpointDifference {
  const endpoint = endpoints.find((other) => other.url === url);
  if (!endpoint) return { url, state: 'missing' };
  // null: the account's default, whichever that is. Any other may stay as it is when the SDK is upgraded.
  const isReadable = endpoint.api_version !== null && endpoint.api_version >= OLDEST_VERSION;
  if (!isReadable) return { url, state: 'version', endpoint }; // first: it takes a new endpoint
  if (endpoint.status === 'disabled') return { url, state: 'disabled', endpoint };
  return { url, state: lackedEvents(endpoint, events).length > 0 ? 'events' : 'current', endpoint };
}

/** The events that an endpoint does not get. */
export function lackedEvents(
  { enabled_events: sent }: Pick<Stripe.WebhookEndpoint, 'enabled_events'>,
  wanted: readonly string[],
): string[] {
  return sent.includes('*') ? [] : wanted.filter((event) => !sent.includes(event));
}

/** What is wrong with an endpoint in state `version`, and what to do. */
export const describeVersion = ({ url, endpoint }: { url: string; endpoint: Stripe.WebhookEndpoint }) => ({
  detail: `${url} gets events of ${endpoint.api_version ?? "the account's default version"}, and the handlers read ${OLDEST_VERSION} and later.`,
  action: 'docs/going-live.md says how to replace an endpoint without losing an event.',
});

/**
 * Creates the endpoint at `url`, or updates the existing one. Events that you have added stay.
 * @returns the signing secret of a new endpoint: Stripe tells it once
 * @throws if the existing endpoint may send events that the handlers cannot read: its API version cannot be changed
 */
export async function createEndpoint(
  stripe: Stripe,
  url: string,
  { events, name }: StripeEndpoint,
  { isDryRun }: Options,
): Promise<{ detail: string; secret: string | null }> {
  const { data } = await stripe.webhookEndpoints.list({ limit: 100 });
  const found = compareEndpoint(url, { events }, data);
  const done = isDryRun ? 'would be' : 'was';
  switch (found.state) {
    case 'missing': {
      const params = { url, enabled_events: [...events], api_version: Stripe.API_VERSION, description: `For ${name}` };
      const secret = isDryRun ? null : ((await stripe.webhookEndpoints.create(params)).secret ?? null);
      return { detail: `${url} ${done} created, API version ${Stripe.API_VERSION}`, secret };
    }
    case 'current':
      return {
        detail: `${url} exists (${found.endpoint.id}), API version ${found.endpoint.api_version}`,
        secret: null,
      };
    case 'events':
    case 'disabled': {
      const { id, enabled_events: sent } = found.endpoint;
      const enabled_events = [...sent, ...lackedEvents(found.endpoint, events)] as StripeEndpoint['events'][number][];
      if (!isDryRun) await stripe.webhookEndpoints.update(id, { enabled_events, disabled: false });
      return { detail: `${url} ${done} enabled with the events that it lacked (${id})`, secret: null };
    }
    case 'version': {
      const { detail, action } = describeVersion(found);
      throw new Error(`${detail} ${action}`);
    }
    default:
      return found satisfies never;
  }
}
