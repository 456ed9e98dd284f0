// The billing portal: what its page shows.
import type { Emulator } from '../core/emulator';
import { readAccount } from './account';
import { defaultMethod } from './billing/collection';
import type { Typed } from './checkout/forms';
import { hasEnded } from './objects/subscriptions';
import { type Features, type Flow, flowSubscription } from './portal-flow';
import { periodEnd } from './pricing/periods';
import type { Store } from './store';
import type { ApiObject } from './wire';

type Subscription = ApiObject<'subscription'>;
export type Notice = {
  tone: 'success' | 'danger';
  message: string;
  field?: string;
  typed?: Typed;
  /** Of the form that was sent; absent for the customer's. */
  subscription?: string;
};

/** What a session stores besides its API form. */
export type SessionState = { notice?: Notice | null; isFlowDone?: boolean };

/** What the page shows, or null if there is no such portal session. */
export function showPortal(emulator: Emulator, sessionId: string) {
  return readAccount(emulator, async (store) => {
    const session = await store.find('billing_portal.session', sessionId);
    if (!session) return null;
    const { notice = null, isFlowDone } = await store.internal<SessionState>(sessionId);
    const features = await featuresOf(store, session);
    const customer = await store.get('customer', session.customer);
    const prices = await listPrices(store, features);
    const subscriptions: PortalSubscription[] = [];
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
      /** The result of the last action, shown once. */
      notice,
      /** The one step that the session leads to, until it is done. */
      flow: session.flow && !isFlowDone ? await describeFlow(store, session.flow, subscriptions) : null,
      /** What the portal's configuration allows. */
      allows: {
        cancel: features.subscription_cancel.enabled,
        cancelAtPeriodEnd:
          features.subscription_cancel.enabled && features.subscription_cancel.mode === 'at_period_end',
        changePlan: features.subscription_update.enabled,
        replaceCard: features.payment_method_update.enabled,
      },
      subscriptions,
      invoices: invoices.map(({ number, created, total, currency, status }) => ({
        number,
        createdAt: iso(created),
        total,
        currency,
        status: status ?? 'draft',
      })),
    };
  });
}

export type PortalView = NonNullable<Awaited<ReturnType<typeof showPortal>>>;

/** `to`: what the customer is to confirm, if anything. */
async function describeFlow(store: Store, flow: Flow, subscriptions: PortalSubscription[]) {
  const subscription = subscriptions.find(({ id }) => id === flowSubscription(flow)) ?? null;
  const [item] = flow.subscription_update_confirm?.items ?? [];
  if (!item || !subscription) return { type: flow.type, subscription, to: null };
  const { items } = await store.get('subscription', subscription.id);
  const current = items.data.find(({ id }) => id === item.id);
  const price = item.price ? await store.get('price', item.price) : current?.price;
  const name = price ? (await store.get('product', price.product)).name : '';
  const quantity = item.quantity ?? current?.quantity ?? 1;
  return { type: flow.type, subscription, to: { price: toPortalPrice(price, name), quantity } };
}

export const featuresOf = async (
  store: Store,
  { configuration }: ApiObject<'billing_portal.session'>,
): Promise<Features> => (await store.get('billing_portal.configuration', configuration)).features;

async function describeSubscription(store: Store, subscription: Subscription, prices: PortalPrice[]) {
  const price = subscription.items.data[0]?.price;
  const product = price ? await store.find('product', price.product) : null;
  const methodId = await defaultMethod(store, subscription, subscription.customer);
  const method = methodId ? await store.find('payment_method', methodId) : null;
  return {
    id: subscription.id,
    status: subscription.status,
    price: toPortalPrice(price, product?.name ?? 'Subscription'),
    quantity: subscription.items.data[0]?.quantity ?? 1,
    periodEnd: iso(periodEnd(subscription)),
    /** When it ends, if it was canceled. */
    endsAt: subscription.cancel_at === null ? null : iso(subscription.cancel_at),
    /** What it is paid with: a card, by its brand, or a bank account. */
    method: method && describeMethod(method),
    /** What it can be changed to: the configuration's other prices in its currency. */
    otherPrices: prices.filter(({ id, currency }) => id !== price?.id && currency === subscription.currency),
  };
}

type PortalSubscription = Awaited<ReturnType<typeof describeSubscription>>;

function describeMethod({ card, us_bank_account: account }: ApiObject<'payment_method'>) {
  return card ? { kind: card.brand, last4: card.last4 ?? '' } : { kind: 'bank account', last4: account?.last4 ?? '' };
}

/** The prices that the configuration offers, if they are active. */
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

const toPortalPrice = (price: ApiObject<'price'> | undefined, name: string) => ({
  id: price?.id ?? '',
  name,
  /** Of one unit for one interval. */
  amount: price?.unit_amount ?? 0,
  currency: price?.currency ?? 'usd',
  interval: price?.recurring?.interval ?? 'month',
  intervalCount: price?.recurring?.interval_count ?? 1,
});

export type PortalPrice = ReturnType<typeof toPortalPrice>;

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();
