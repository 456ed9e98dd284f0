// The billing portal: what its page shows, and what customers can do there.
import { z } from 'zod';
import type { Emulator } from '../core/emulator';
import { changeAccount, readAccount } from './account';
import { updateSubscription } from './billing/change-plan';
import { retryOpenInvoice } from './billing/collection';
import { cancelSubscription, hasEnded } from './billing/subscriptions';
import { parseCardForm, type Typed, typedIn } from './checkout/forms';
import { ApiError } from './errors';
import { buildCard } from './objects/payment-methods';
import { periodEnd } from './pricing/periods';
import type { Store } from './store';
import { checkCard, setUp } from './test-cards';
import { portalUrl } from './urls';
import type { ApiObject } from './wire';

const WAIT_FOR_WEBHOOKS_MS = 5_000;

type Subscription = ApiObject<'subscription'>;
type Features = ApiObject<'billing_portal.configuration'>['features'];
type Notice = { tone: 'success' | 'danger'; message: string; field?: string; typed?: Typed };

export type PortalPrice = { id: string; name: string; amount: number; currency: string; interval: string };

export type PortalView = {
  email: string | null;
  returnUrl: string | null;
  /** What the last action resulted in, shown once. */
  notice: Notice | null;
  /** What the portal's configuration allows. */
  allows: { cancel: boolean; cancelAtPeriodEnd: boolean; changePlan: boolean; replaceCard: boolean };
  subscriptions: {
    id: string;
    status: string;
    price: PortalPrice;
    periodEnd: string;
    /** When it ends, where it was canceled. */
    endsAt: string | null;
    /** What it is paid with: a card or a bank account. */
    method: { kind: string; last4: string } | null;
    /** What it can be changed to: the configuration's other prices in its currency. */
    otherPrices: PortalPrice[];
  }[];
  invoices: { id: string; number: string | null; createdAt: string; total: number; currency: string; status: string }[];
};

/** What the page shows, or null where there is no such portal session. */
export function showPortal(emulator: Emulator, sessionId: string): Promise<PortalView | null> {
  return readAccount(emulator, async (store) => {
    const session = await store.find('billing_portal.session', sessionId);
    if (!session) return null;
    const { notice = null } = await store.internal<{ notice?: Notice }>(sessionId);
    const features = await featuresOf(store, session);
    const customer = await store.get('customer', session.customer);
    const prices = await listPrices(store, features);
    const subscriptions: PortalView['subscriptions'] = [];
    for (const subscription of await store.all('subscription', { customer: customer.id })) {
      if (!hasEnded(subscription)) subscriptions.push(await describeSubscription(store, subscription, prices));
    }
    const where = { customer: customer.id };
    const { data: invoices } = features.invoice_history.enabled
      ? await store.page('invoice', { where, limit: 12 })
      : { data: [] };
    return {
      email: customer.email,
      returnUrl: session.return_url,
      notice,
      allows: {
        cancel: features.subscription_cancel.enabled,
        cancelAtPeriodEnd:
          features.subscription_cancel.enabled && features.subscription_cancel.mode === 'at_period_end',
        changePlan: features.subscription_update.enabled,
        replaceCard: features.payment_method_update.enabled,
      },
      subscriptions,
      invoices: invoices.map(({ id, number, created, total, currency, status }) => ({
        id,
        number,
        createdAt: iso(created),
        total,
        currency,
        status: status ?? 'draft',
      })),
    };
  });
}

const featuresOf = async (store: Store, { configuration }: ApiObject<'billing_portal.session'>): Promise<Features> =>
  (await store.get('billing_portal.configuration', configuration)).features;

async function describeSubscription(
  store: Store,
  subscription: Subscription,
  prices: PortalPrice[],
): Promise<PortalView['subscriptions'][number]> {
  const price = subscription.items.data[0]?.price;
  const product = price ? await store.find('product', price.product) : null;
  const { default_payment_method: methodId } = subscription;
  const method = methodId ? await store.find('payment_method', methodId) : null;
  return {
    id: subscription.id,
    status: subscription.status,
    price: toPortalPrice(price, product?.name ?? 'Subscription'),
    periodEnd: iso(periodEnd(subscription)),
    endsAt: subscription.cancel_at === null ? null : iso(subscription.cancel_at),
    method: method && describeMethod(method),
    otherPrices: prices.filter(({ id, currency }) => id !== price?.id && currency === subscription.currency),
  };
}

function describeMethod({ card, us_bank_account: account }: ApiObject<'payment_method'>) {
  return card
    ? { kind: `${card.brand} card`, last4: card.last4 ?? '' }
    : { kind: 'bank account', last4: account?.last4 ?? '' };
}

/** The prices that the configuration offers, as far as they are active. */
async function listPrices(store: Store, { subscription_update: update }: Features): Promise<PortalPrice[]> {
  const offered: PortalPrice[] = [];
  for (const { product: productId, prices } of (update.enabled && update.products) || []) {
    const product = await store.find('product', productId);
    for (const id of prices) {
      const price = await store.find('price', id);
      if (price?.active) offered.push(toPortalPrice(price, product?.name ?? id));
    }
  }
  return offered;
}

const toPortalPrice = (price: ApiObject<'price'> | undefined, name: string): PortalPrice => ({
  id: price?.id ?? '',
  name,
  amount: price?.unit_amount ?? 0,
  currency: price?.currency ?? 'usd',
  interval: price?.recurring?.interval ?? 'month',
});

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();

const action = z.discriminatedUnion('action', [
  z.object({ action: z.enum(['cancel_at_period_end', 'cancel_now', 'resume']), subscription: z.string() }),
  z.object({ action: z.literal('change_plan'), subscription: z.string(), price: z.string() }),
  z.looseObject({ action: z.literal('replace_card'), subscription: z.string() }),
]);

type Action = z.output<typeof action>;

/**
 * Does what the customer asked for and says where to go: back to the page, which shows the result. The endpoints are told
 * first.
 */
export async function actInPortal(
  emulator: Emulator,
  sessionId: string,
  fields: Record<string, unknown>,
): Promise<string> {
  const parsed = action.safeParse(fields);
  const events = await changeAccount(emulator, async (store) => {
    const session = await store.get('billing_portal.session', sessionId);
    await store.enter(session.customer);
    const notice: Notice | null = parsed.success
      ? await perform(store, session, parsed.data)
      : { tone: 'danger', message: 'The portal does not offer this action.' };
    await store.save(session, { internal: { notice } });
    return store.emitted.map(({ event }) => event.id);
  });
  await emulator.deliveries.deliverNow(events, { timeoutMs: WAIT_FOR_WEBHOOKS_MS });
  return portalUrl(emulator.config, sessionId);
}

async function perform(
  store: Store,
  session: ApiObject<'billing_portal.session'>,
  asked: Action,
): Promise<Notice | null> {
  const subscription = await store.find('subscription', asked.subscription);
  if (!subscription || subscription.customer !== session.customer || hasEnded(subscription)) {
    return { tone: 'danger', message: 'This subscription has ended.' };
  }
  const features = await featuresOf(store, session);
  if (!isAllowed(features, asked)) {
    return { tone: 'danger', message: "The portal's configuration does not allow this." };
  }
  try {
    return await performOn(store, subscription, features, asked);
  } catch (error) {
    if (error instanceof ApiError) return { tone: 'danger', message: error.message };
    throw error;
  }
}

/**
 * Stripe's portal offers one way to cancel, the configuration's `mode`. Where that is `at_period_end`, this one also
 * offers to cancel now, so that both endings can be tried.
 */
function isAllowed(features: Features, asked: Action): boolean {
  const { subscription_cancel: cancel, subscription_update: update, payment_method_update: method } = features;
  switch (asked.action) {
    case 'cancel_now':
    case 'resume':
      return cancel.enabled;
    case 'cancel_at_period_end':
      return cancel.enabled && cancel.mode === 'at_period_end';
    case 'change_plan':
      return update.enabled && (update.products ?? []).some(({ prices }) => prices.includes(asked.price));
    case 'replace_card':
      return method.enabled;
    default:
      return asked satisfies never;
  }
}

async function performOn(
  store: Store,
  subscription: Subscription,
  { subscription_update: { proration_behavior } }: Features,
  asked: Action,
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
      await updateSubscription(store, subscription, { items, proration_behavior });
      return { tone: 'success', message: 'Your plan was changed.' };
    }
    case 'replace_card':
      return replaceCard(store, subscription, asked);
    default:
      return asked satisfies never;
  }
}

/** A new card for the subscription; an overdue invoice is charged to it immediately. */
async function replaceCard(
  store: Store,
  subscription: Subscription,
  fields: Record<string, unknown>,
): Promise<Notice | null> {
  const { email } = await store.get('customer', subscription.customer);
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
  const method = buildCard({ ...card, customer: subscription.customer, email, name }, store.now);
  await store.insert(method, { internal: setUp(behavior) });
  store.emit('payment_method.attached', method);
  await updateSubscription(store, subscription, { default_payment_method: method.id });
  await retryOpenInvoice(store, subscription);
  return { tone: 'success', message: `Your default card is now the one ending in ${card.number.slice(-4)}.` };
}
