import 'server-only';
import { readAccount } from '../account';
import { periodEnd } from '../billing/subscription-state';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import type { PortalState } from './portal-state';

export type PortalPrice = { id: string; name: string; amount: number; currency: string; interval: string };

export type PortalView = {
  email: string | null;
  returnUrl: string | null;
  notice: PortalState['notice'];
  subscriptions: {
    id: string;
    status: string;
    price: PortalPrice;
    periodEnd: string;
    endsAtPeriodEnd: boolean;
    /** What it is paid with: a card or a bank account. */
    method: { kind: string; last4: string } | null;
    /** What it can be changed to: the other recurring prices in its currency. */
    otherPrices: PortalPrice[];
  }[];
  invoices: { id: string; number: string | null; createdAt: string; total: number; currency: string; status: string }[];
};

/** What the portal page shows, or null where there is no such portal session. */
export async function showPortal(id: string): Promise<PortalView | null> {
  return readAccount(async (store) => {
    const session = await store.find('billing_portal.session', id);
    if (!session) return null;
    const { notice = null } = await store.internal<Partial<PortalState>>(id);
    const customer = await store.get('customer', session.customer);
    const prices = await listPrices(store);
    const all = await store.all('subscription', { customer: customer.id });
    const subscriptions: PortalView['subscriptions'] = [];
    for (const subscription of all.filter(({ status }) => status !== 'canceled')) {
      subscriptions.push(await describeSubscription(store, subscription, prices));
    }
    const { data: invoices } = await store.page('invoice', { where: { customer: customer.id }, limit: 12 });
    return {
      email: customer.email,
      returnUrl: session.return_url,
      notice,
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

async function describeSubscription(
  store: Store,
  subscription: ApiObject<'subscription'>,
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
    endsAtPeriodEnd: subscription.cancel_at_period_end,
    method: method && describeMethod(method),
    otherPrices: prices.filter(({ id, currency }) => id !== price?.id && currency === subscription.currency),
  };
}

function describeMethod({ card, us_bank_account: account }: ApiObject<'payment_method'>) {
  return card
    ? { kind: `${card.brand} card`, last4: card.last4 ?? '' }
    : { kind: 'bank account', last4: account?.last4 ?? '' };
}

/** The catalogue: recurring prices with a lookup key. Prices written out in a session are not offered. */
async function listPrices(store: Store): Promise<PortalPrice[]> {
  const prices = await store.all('price', { active: true, type: 'recurring' });
  const offered: PortalPrice[] = [];
  for (const price of prices.filter(({ lookup_key: key }) => key !== null)) {
    const product = await store.find('product', price.product);
    offered.push(toPortalPrice(price, product?.name ?? price.id));
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
