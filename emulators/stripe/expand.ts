// `expand`: IDs in a response are replaced by their objects.
import { listLineItems } from './checkout/plan';
import { type ApiError, invalidRequest } from './errors';
import { CURRENT_STATUSES } from './objects/subscriptions';
import { listOf } from './route';
import type { Store } from './store';
import type { ObjectType } from './wire';

const TYPE_BY_PREFIX: Record<string, ObjectType> = {
  bpc: 'billing_portal.configuration',
  cbtxn: 'customer_balance_transaction',
  ch: 'charge',
  clock: 'test_helpers.test_clock',
  cn: 'credit_note',
  cs: 'checkout.session',
  cus: 'customer',
  di: 'discount',
  dp: 'dispute',
  ii: 'invoiceitem',
  in: 'invoice',
  inpay: 'invoice_payment',
  pi: 'payment_intent',
  pm: 'payment_method',
  price: 'price',
  prod: 'product',
  promo: 'promotion_code',
  re: 'refund',
  sub: 'subscription',
  txr: 'tax_rate',
};

/** Lists that an object has only where they are asked for. */
const LISTS: Record<string, (store: Store, id: string) => Promise<unknown>> = {
  'charge.refunds': async (store, charge) =>
    listOf(`/v1/charges/${charge}/refunds`, await store.page('refund', { where: { charge }, limit: 10 })),
  'checkout.session.line_items': listLineItems,
  'customer.subscriptions': async (store, customer) => {
    const where = { customer, status: CURRENT_STATUSES };
    return listOf(`/v1/customers/${customer}/subscriptions`, await store.page('subscription', { where, limit: 10 }));
  },
  'invoice.payments': async (store, invoice) =>
    listOf(`/v1/invoice_payments?invoice=${invoice}`, { data: await store.all('invoice_payment', { invoice }) }),
};

type Node = Record<string, unknown>;

/** Follows each path, such as `data.customer` or `latest_invoice.lines`. */
export async function expandPaths(store: Store, response: unknown, paths: string[]): Promise<void> {
  for (const path of paths) await expandPath(store, response, path.split('.'), path);
}

async function expandPath(store: Store, node: unknown, [head, ...rest]: string[], path: string): Promise<void> {
  if (Array.isArray(node)) {
    for (const entry of node) await expandPath(store, entry, head ? [head, ...rest] : [], path);
    return;
  }
  if (!head || !isNode(node)) return;
  if (node[head] === undefined) node[head] = await LISTS[`${node.object}.${head}`]?.(store, String(node.id));
  const value = node[head];
  if (value === undefined) throw cannotExpand(path);
  // The IDs of coupons are the seller's own.
  const loadOne = (id: string) => load(store, id, head === 'coupon' ? 'coupon' : typeOf(id), path);
  if (typeof value === 'string') node[head] = await loadOne(value);
  if (Array.isArray(value)) {
    const loaded: unknown[] = [];
    for (const entry of value) loaded.push(typeof entry === 'string' ? await loadOne(entry) : entry);
    node[head] = loaded;
  }
  await expandPath(store, node[head], rest, path);
}

const typeOf = (id: string): ObjectType | undefined => TYPE_BY_PREFIX[id.split('_')[0] ?? ''];

async function load(store: Store, id: string, type: ObjectType | undefined, path: string): Promise<unknown> {
  const object = type ? await store.find(type, id) : null;
  if (!object) throw cannotExpand(path);
  return object;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

const cannotExpand = (path: string): ApiError =>
  invalidRequest(
    `The Stripe emulator does not expand ${path}: it does not cover it, or Stripe has nothing to expand there.`,
    {
      param: 'expand',
    },
  );
