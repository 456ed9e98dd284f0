// `expand`: IDs in a response are replaced by their objects.
import { listLineItems } from './checkout/plan';
import { type ApiError, invalidRequest } from './errors';
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
  const hasNoItemsYet = node.object === 'checkout.session' && head === 'line_items' && node.line_items === undefined;
  if (hasNoItemsYet) node.line_items = await listLineItems(store, String(node.id));
  if (node.object === 'invoice' && head === 'payments' && node.payments === undefined) {
    node.payments = await listPayments(store, String(node.id));
  }
  const value = node[head];
  if (value === undefined) throw cannotExpand(path);
  if (typeof value === 'string') node[head] = await load(store, value, path);
  if (Array.isArray(value)) node[head] = await loadAll(store, value, path);
  await expandPath(store, node[head], rest, path);
}

async function loadAll(store: Store, values: unknown[], path: string): Promise<unknown[]> {
  const loaded: unknown[] = [];
  for (const value of values) loaded.push(typeof value === 'string' ? await load(store, value, path) : value);
  return loaded;
}

async function load(store: Store, id: string, path: string): Promise<unknown> {
  const type = TYPE_BY_PREFIX[id.split('_')[0] ?? ''];
  const object = type ? await store.find(type, id) : null;
  if (!object) throw cannotExpand(path);
  return object;
}

const listPayments = async (store: Store, invoice: string) =>
  listOf(`/v1/invoice_payments?invoice=${invoice}`, { data: await store.all('invoice_payment', { invoice }) });

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

const cannotExpand = (path: string): ApiError =>
  invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' });
