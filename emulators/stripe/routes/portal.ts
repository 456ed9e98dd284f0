// The billing portal: configurations and sessions.
import { z } from 'zod';
import { invalidRequest, missingParam } from '../errors';
import { buildConfiguration, buildPortalSession, mergeFeatures } from '../objects/portal';
import {
  cancellationReason,
  defined,
  emptyOr,
  expand,
  flag,
  integer,
  mergeMetadata,
  metadata,
  prorationBehavior,
  text,
  url,
} from '../parameters';
import { flowData, resolveFlow } from '../portal-flow';
import { list, type Route, retrieve, route } from '../route';
import type { Store } from '../store';
import { portalUrl } from '../urls';
import type { ApiObject } from '../wire';

const product = z.strictObject({
  product: text,
  prices: z.array(text).min(1).max(10),
  adjustable_quantity: z
    .strictObject({ enabled: flag, minimum: integer().default(1), maximum: integer().nullable().default(null) })
    .default({ enabled: false, minimum: 1, maximum: null }),
});

const features = z.strictObject({
  customer_update: z
    .strictObject({
      enabled: flag,
      allowed_updates: emptyOr(z.array(z.enum(['address', 'email', 'name', 'phone', 'shipping', 'tax_id'])))
        .transform((updates) => updates ?? [])
        .optional(),
    })
    .optional(),
  invoice_history: z.strictObject({ enabled: flag }).optional(),
  payment_method_update: z.strictObject({ enabled: flag }).optional(),
  subscription_cancel: z
    .strictObject({
      enabled: flag,
      mode: z.enum(['at_period_end', 'immediately']).optional(),
      cancellation_reason: z
        .strictObject({
          enabled: flag,
          options: emptyOr(z.array(cancellationReason))
            .default([])
            .transform((options) => options ?? []),
        })
        .transform((reason) => ({ ...reason, feedback_options: null }))
        .optional(),
      proration_behavior: prorationBehavior.optional(),
    })
    .optional(),
  subscription_update: z
    .strictObject({
      enabled: flag,
      default_allowed_updates: emptyOr(z.array(z.enum(['price', 'promotion_code', 'quantity'])))
        .transform((updates) => updates ?? [])
        .optional(),
      products: emptyOr(z.array(product).max(10)).optional(),
      proration_behavior: prorationBehavior.optional(),
      trial_update_behavior: z.enum(['continue_trial', 'end_trial']).optional(),
    })
    .optional(),
});

const fields = {
  business_profile: z
    .strictObject({
      headline: emptyOr(text.max(60)).optional(),
      privacy_policy_url: url.optional(),
      terms_of_service_url: url.optional(),
    })
    .optional(),
  default_return_url: emptyOr(url).optional(),
  metadata: metadata.optional(),
  name: emptyOr(text).optional(),
  expand,
};

const CONFIGURATIONS = '/billing_portal/configurations';

export const portalRoutes: Route[] = [
  route(`POST ${CONFIGURATIONS}`, z.strictObject({ ...fields, features }), async (store, given) => {
    await checkFeatures(store, given.features);
    const existing = await store.all('billing_portal.configuration', { is_default: true });
    return store.insert(
      buildConfiguration(
        {
          name: given.name ?? null,
          businessProfile: defined(given.business_profile ?? {}),
          defaultReturnUrl: given.default_return_url ?? null,
          features: withDefined(given.features),
          isDefault: existing.length === 0,
          metadata: mergeMetadata({}, given.metadata),
        },
        store.now,
      ),
    );
  }),
  list(CONFIGURATIONS, 'billing_portal.configuration', { active: flag.optional(), is_default: flag.optional() }),
  retrieve(CONFIGURATIONS, 'billing_portal.configuration'),
  route(
    `POST ${CONFIGURATIONS}/:id`,
    z.strictObject({ ...fields, features: features.optional(), active: flag.optional() }),
    async (
      store,
      { metadata: change, features: given = {}, business_profile: profile = {}, expand: _, ...rest },
      { id },
    ) => {
      const configuration = await store.get('billing_portal.configuration', id);
      if (rest.active === false && configuration.is_default) {
        throw invalidRequest('You cannot deactivate the default configuration.', { param: 'active' });
      }
      await checkFeatures(store, given);
      Object.assign(configuration, rest, {
        business_profile: { ...configuration.business_profile, ...defined(profile) },
        features: mergeFeatures(withDefined(given), configuration.features),
        metadata: mergeMetadata(configuration.metadata, change),
        updated: store.now,
      });
      return store.save(configuration);
    },
  ),
  route(
    'POST /billing_portal/sessions',
    z.strictObject({
      customer: text,
      configuration: text.optional(),
      flow_data: flowData.optional(),
      return_url: url.optional(),
      locale: text.optional(),
      expand,
    }),
    async (store, { customer, configuration: asked, flow_data: data, return_url, locale = null }) => {
      await store.enter(customer, { param: 'customer' });
      const configuration = await configurationFor(store, asked);
      const returnUrl = return_url ?? configuration.default_return_url;
      const flow = data ? await resolveFlow(store, data, customer, configuration.features) : null;
      const page = { returnUrl, locale, flow, url: (id: string) => portalUrl(store.config, id) };
      return store.insert(buildPortalSession({ customer, configuration: configuration.id, ...page }, store.now));
    },
  ),
];

/** The requested configuration, else the default one: here, the first that was created. */
async function configurationFor(
  store: Store,
  asked: string | undefined,
): Promise<ApiObject<'billing_portal.configuration'>> {
  if (asked) {
    const configuration = await store.get('billing_portal.configuration', asked, 'configuration');
    if (configuration.active) return configuration;
    throw invalidRequest(`The configuration ${asked} is inactive.`, { param: 'configuration' });
  }
  const [standard] = await store.all('billing_portal.configuration', { is_default: true });
  if (standard) return standard;
  throw invalidRequest(
    'No configuration provided and your test mode default configuration has not been created. Provide a configuration or create your default by saving your customer portal settings in test mode at https://dashboard.stripe.com/test/settings/billing/portal.',
  );
}

async function checkFeatures(store: Store, { subscription_update: update }: z.output<typeof features>): Promise<void> {
  const at = 'features[subscription_update]';
  if (!update?.enabled) return;
  for (const name of ['default_allowed_updates', 'products'] as const) {
    if (update[name]) continue;
    throw missingParam(`${at}[${name}]`);
  }
  const intervals = new Set<string>();
  for (const [index, { product: productId, prices }] of (update.products ?? []).entries()) {
    const param = `${at}[products][${index}]`;
    await store.get('product', productId, `${param}[product]`);
    for (const id of prices) {
      const price = await store.get('price', id, `${param}[prices]`);
      if (price.product !== productId || !price.recurring) {
        throw invalidRequest(`The price ${id} must be recurring and belong to the product ${productId}.`, {
          param: `${param}[prices]`,
        });
      }
      const interval = `${productId} ${price.recurring.interval_count} ${price.recurring.interval}`;
      if (intervals.has(interval)) {
        throw invalidRequest('For each product, its price must have unique billing intervals.');
      }
      intervals.add(interval);
    }
  }
}

const withDefined = (given: z.output<typeof features>) => ({
  customer_update: defined(given.customer_update ?? {}),
  invoice_history: defined(given.invoice_history ?? {}),
  payment_method_update: defined(given.payment_method_update ?? {}),
  subscription_cancel: defined(given.subscription_cancel ?? {}),
  subscription_update: defined(given.subscription_update ?? {}),
});
