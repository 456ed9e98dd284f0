// Flows of the billing portal: a session that leads to one step, such as a cancellation, and then back to the seller.
import { z } from 'zod';
import { invalidRequest, missingParam } from './errors';
import { hasEnded } from './objects/subscriptions';
import { integer, text, url } from './parameters';
import type { Store } from './store';
import type { ApiObject } from './wire';

export type Features = ApiObject<'billing_portal.configuration'>['features'];
export type Flow = NonNullable<ApiObject<'billing_portal.session'>['flow']>;

const ofSubscription = z.strictObject({ subscription: text }).optional();

export const flowData = z.strictObject({
  type: z.enum(['payment_method_update', 'subscription_cancel', 'subscription_update', 'subscription_update_confirm']),
  after_completion: z
    .strictObject({
      type: z.enum(['hosted_confirmation', 'portal_homepage', 'redirect']),
      hosted_confirmation: z.strictObject({ custom_message: text.optional() }).optional(),
      redirect: z.strictObject({ return_url: url }).optional(),
    })
    .optional(),
  subscription_cancel: ofSubscription,
  subscription_update: ofSubscription,
  subscription_update_confirm: z
    .strictObject({
      subscription: text,
      items: z.array(z.strictObject({ id: text, price: text.optional(), quantity: integer(1).optional() })).length(1),
    })
    .optional(),
});

type FlowData = z.output<typeof flowData>;

/**
 * The flow as the session shows it.
 * @throws ApiError if the configuration does not offer it, or the subscription is not the customer's
 */
export async function resolveFlow(store: Store, given: FlowData, customer: string, features: Features): Promise<Flow> {
  const { type, after_completion: after } = given;
  refuseDisabled(type, features);
  if (type !== 'payment_method_update') await checkSubscription(store, given, type, customer);
  const confirm = type === 'subscription_update_confirm' ? given.subscription_update_confirm : undefined;
  if (confirm) await checkItems(store, confirm, features);
  if (after?.type === 'redirect' && !after.redirect) {
    throw missingParam('flow_data[after_completion][redirect]');
  }
  return {
    type,
    after_completion: {
      type: after?.type ?? 'portal_homepage',
      hosted_confirmation: after?.hosted_confirmation
        ? { custom_message: after.hosted_confirmation.custom_message ?? null }
        : null,
      redirect: after?.redirect ?? null,
    },
    customer_update: null,
    subscription_cancel:
      type === 'subscription_cancel' && given.subscription_cancel
        ? { ...given.subscription_cancel, retention: null }
        : null,
    subscription_pause: null,
    subscription_update: type === 'subscription_update' ? (given.subscription_update ?? null) : null,
    subscription_update_confirm: confirm
      ? {
          discounts: null,
          items: confirm.items.map(({ id, price = null, quantity }) => ({ id, price, ...(quantity && { quantity }) })),
          subscription: confirm.subscription,
        }
      : null,
  };
}

/** The subscription that a flow is about; null if it is about none. */
export const flowSubscription = (flow: Flow): string | null =>
  (flow.subscription_cancel ?? flow.subscription_update ?? flow.subscription_update_confirm)?.subscription ?? null;

function refuseDisabled(type: FlowData['type'], features: Features): void {
  const feature = type === 'subscription_update_confirm' ? 'subscription_update' : type;
  if (features[feature].enabled) return;
  throw invalidRequest(`The flow ${type} needs the feature ${feature}, which the portal's configuration disables.`, {
    param: 'flow_data[type]',
  });
}

async function checkSubscription(
  store: Store,
  given: FlowData,
  type: Exclude<FlowData['type'], 'payment_method_update'>,
  customer: string,
): Promise<void> {
  const param = `flow_data[${type}][subscription]`;
  const id = given[type]?.subscription;
  if (!id) throw missingParam(param);
  const subscription = await store.get('subscription', id, param);
  if (subscription.customer !== customer) {
    throw invalidRequest(`The subscription ${id} does not belong to the customer ${customer}.`, { param });
  }
  if (hasEnded(subscription)) throw invalidRequest(`The subscription ${id} has ended.`, { param });
}

/** Only what the configuration offers can be confirmed. */
async function checkItems(
  store: Store,
  { subscription: id, items: [item] }: NonNullable<FlowData['subscription_update_confirm']>,
  { subscription_update: update }: Features,
): Promise<void> {
  const param = 'flow_data[subscription_update_confirm][items][0]';
  const { items } = await store.get('subscription', id);
  if (!items.data.some((one) => one.id === item?.id)) {
    throw invalidRequest(`No such subscription item: '${item?.id}'`, { param: `${param}[id]` });
  }
  const offered = (update.products || []).flatMap(({ prices }) => prices);
  if (item?.price && !offered.includes(item.price)) {
    throw invalidRequest(`The price ${item.price} is not in the portal's configuration.`, { param: `${param}[price]` });
  }
}
