// What customers can do in the billing portal.
import { z } from 'zod';
import type { Emulator } from '../core/emulator';
import { changeAccount } from './account';
import { cancelSubscription } from './billing/cancel-subscription';
import type { ItemChange } from './billing/change-items';
import { updateSubscription } from './billing/change-plan';
import { retryOpenInvoice } from './billing/collection';
import { parseCardForm, typedIn } from './checkout/forms';
import { ApiError } from './errors';
import { buildCard } from './objects/payment-methods';
import { hasEnded } from './objects/subscriptions';
import { featuresOf, type Notice, type SessionState } from './portal';
import type { Features } from './portal-flow';
import type { Store } from './store';
import { checkCard, setUp } from './test-cards';
import { portalUrl } from './urls';
import type { ApiObject } from './wire';

const WAIT_FOR_WEBHOOKS_MS = 5_000;

type Subscription = ApiObject<'subscription'>;

const action = z.discriminatedUnion('action', [
  z.object({ action: z.enum(['cancel_at_period_end', 'cancel_now', 'resume']), subscription: z.string() }),
  z.object({ action: z.literal('change_plan'), subscription: z.string(), price: z.string() }),
  z.object({ action: z.literal('confirm_update'), subscription: z.string() }),
  z.looseObject({ action: z.literal('replace_card'), subscription: z.string() }),
  z.looseObject({ action: z.literal('replace_card_of_customer') }),
]);

type Action = z.output<typeof action>;
type OfSubscription = Exclude<Action, { action: 'replace_card_of_customer' }>;

/**
 * Does what the customer asked for and returns where to go: back to the page, which shows the result, or where a flow leads
 * when it is done. The endpoints are notified first.
 */
export async function actInPortal(
  emulator: Emulator,
  sessionId: string,
  fields: Record<string, unknown>,
): Promise<string> {
  const parsed = action.safeParse(fields);
  const { events, url } = await changeAccount(emulator, async (store) => {
    const session = await store.get('billing_portal.session', sessionId);
    await store.enter(session.customer);
    const notice: Notice | null = parsed.success
      ? await perform(store, session, parsed.data)
      : { tone: 'danger', message: 'The portal does not offer this action.' };
    const { isFlowDone: wasDone = false } = await store.internal<SessionState>(sessionId);
    const completes = session.flow !== null && !wasDone && notice?.tone === 'success';
    const after = completes ? session.flow?.after_completion : null;
    const message = after?.hosted_confirmation?.custom_message;
    const state: SessionState = {
      notice: notice && { ...notice, ...(message && { message }), ...subscriptionOf(fields) },
      isFlowDone: wasDone || completes,
    };
    await store.save(session, { internal: state });
    return { events: store.emitted.map(({ event }) => event.id), url: after?.redirect?.return_url };
  });
  await emulator.deliveries.deliverNow(events, { timeoutMs: WAIT_FOR_WEBHOOKS_MS });
  return url ?? portalUrl(emulator.config, sessionId);
}

/** For a page that leads back to the portal without an action: the last result would be shown there again. */
export const clearNotice = (emulator: Emulator, sessionId: string): Promise<void> =>
  changeAccount(emulator, async (store) => {
    const session = await store.get('billing_portal.session', sessionId);
    const state = await store.internal<SessionState>(sessionId);
    await store.save(session, { internal: { ...state, notice: null } });
  });

const subscriptionOf = ({ subscription }: Record<string, unknown>) =>
  typeof subscription === 'string' ? { subscription } : {};

const NOT_ALLOWED: Notice = { tone: 'danger', message: "The portal's configuration does not allow this." };

async function perform(
  store: Store,
  session: ApiObject<'billing_portal.session'>,
  asked: Action,
): Promise<Notice | null> {
  const features = await featuresOf(store, session);
  if (asked.action === 'replace_card_of_customer') {
    return features.payment_method_update.enabled ? replaceCardOfCustomer(store, session.customer, asked) : NOT_ALLOWED;
  }
  const subscription = await store.find('subscription', asked.subscription);
  if (!subscription || subscription.customer !== session.customer || hasEnded(subscription)) {
    return { tone: 'danger', message: 'This subscription has ended.' };
  }
  if (!isAllowed(features, asked)) return NOT_ALLOWED;
  try {
    if (asked.action === 'confirm_update') return await confirmUpdate(store, session, subscription, features);
    return await performOn(store, subscription, features, asked);
  } catch (error) {
    if (error instanceof ApiError) return { tone: 'danger', message: error.message };
    throw error;
  }
}

/**
 * Stripe's portal offers one way to cancel, the configuration's `mode`. If that is `at_period_end`, this one also
 * offers to cancel now, so that both endings can be tried.
 */
function isAllowed(features: Features, asked: OfSubscription): boolean {
  const { subscription_cancel: cancel, subscription_update: update, payment_method_update: method } = features;
  switch (asked.action) {
    case 'cancel_now':
    case 'resume':
      return cancel.enabled;
    case 'cancel_at_period_end':
      return cancel.enabled && cancel.mode === 'at_period_end';
    case 'change_plan':
      return update.enabled && (update.products ?? []).some(({ prices }) => prices.includes(asked.price));
    case 'confirm_update':
      return update.enabled;
    case 'replace_card':
      return method.enabled;
    default:
      return asked satisfies never;
  }
}

async function performOn(
  store: Store,
  subscription: Subscription,
  { subscription_update: update }: Features,
  asked: Exclude<OfSubscription, { action: 'confirm_update' }>,
): Promise<Notice | null> {
  switch (asked.action) {
    case 'cancel_now':
      await cancelSubscription(store, subscription);
      return { tone: 'success', message: 'Your subscription was canceled.' };
    case 'cancel_at_period_end':
      // With flexible billing, which is what subscriptions have here, Stripe's portal sets the date alone.
      await updateSubscription(store, subscription, { cancel_at: 'max_period_end' });
      return { tone: 'success', message: 'Your subscription will be canceled at the end of the period.' };
    case 'resume':
      await updateSubscription(store, subscription, { cancel_at: null });
      return { tone: 'success', message: 'Your subscription will renew.' };
    case 'change_plan': {
      const items = [{ id: subscription.items.data[0]?.id ?? '', price: asked.price }];
      return changePlan(store, subscription, items, update);
    }
    case 'replace_card':
      return replaceCard(store, subscription.customer, [subscription], asked);
    default:
      return asked satisfies never;
  }
}

/** The change that the seller prepared for the customer to confirm. */
async function confirmUpdate(
  store: Store,
  { flow }: ApiObject<'billing_portal.session'>,
  subscription: Subscription,
  { subscription_update: update }: Features,
): Promise<Notice> {
  const { subscription: wanted, items = [] } = flow?.subscription_update_confirm ?? {};
  if (wanted !== subscription.id) return NOT_ALLOWED;
  const changes = items.map(({ id, price, quantity }) => ({
    id: id ?? '',
    price: price ?? undefined,
    quantity: quantity ?? undefined,
  }));
  return changePlan(store, subscription, changes, update);
}

/** The configuration says what happens to a trial, which ends by default: the new price is charged at once. */
async function changePlan(
  store: Store,
  subscription: Subscription,
  items: ItemChange[],
  { proration_behavior, trial_update_behavior: trial }: Features['subscription_update'],
): Promise<Notice> {
  const endsTrial = trial === 'end_trial' && subscription.status === 'trialing';
  const trial_end = endsTrial ? 'now' : undefined;
  await updateSubscription(store, subscription, { items, proration_behavior, trial_end });
  return { tone: 'success', message: 'Your plan was changed.' };
}

/** A new default card for the customer, which all of their subscriptions use from now on. */
async function replaceCardOfCustomer(
  store: Store,
  customer: string,
  fields: Record<string, unknown>,
): Promise<Notice | null> {
  const all = await store.all('subscription', { customer });
  const running = all.filter((subscription) => !hasEnded(subscription));
  return replaceCard(store, customer, running, fields, { isDefault: true });
}

/** A new card for subscriptions; an overdue invoice is charged to it immediately. */
async function replaceCard(
  store: Store,
  customerId: string,
  subscriptions: Subscription[],
  fields: Record<string, unknown>,
  { isDefault = false } = {},
): Promise<Notice | null> {
  const { email } = await store.get('customer', customerId);
  const parsed = parseCardForm({ ...fields, email: email ?? '' }, store.now);
  const problem = (field: string, message: string): Notice => ({
    tone: 'danger',
    message,
    field,
    typed: typedIn(fields),
  });
  if ('problem' in parsed) return problem(parsed.problem.field, parsed.problem.message);
  const { card, name } = parsed.form;
  if (!card) return null;
  const behavior = checkCard(card.number);
  if (behavior.failure) return problem('number', behavior.failure.message);
  const method = buildCard({ ...card, customer: customerId, email, name }, store.now);
  await store.insert(method, { internal: setUp(behavior) });
  store.emit('payment_method.attached', method);
  if (isDefault) await setDefaultMethod(store, customerId, method.id);
  for (const subscription of subscriptions) {
    await updateSubscription(store, subscription, { default_payment_method: method.id });
    await retryOpenInvoice(store, subscription);
  }
  const whatFor = isDefault ? 'Your default card is now the one' : 'This subscription is now paid with the card';
  return { tone: 'success', message: `${whatFor} ending in ${card.number.slice(-4)}.` };
}

async function setDefaultMethod(store: Store, id: string, method: string): Promise<void> {
  const customer = await store.get('customer', id);
  await store.update('customer.updated', customer, () => {
    customer.invoice_settings.default_payment_method = method;
  });
}
