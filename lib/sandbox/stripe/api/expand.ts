import { listLineItems } from '../resources/checkout-sessions';
import type { Store } from '../store';
import type { ObjectType } from '../wire';
import { invalidRequest, type StripeFault } from './stripe-fault';

const TYPE_BY_PREFIX: Record<string, ObjectType> = {
  ch: 'charge',
  cs: 'checkout.session',
  cus: 'customer',
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

/** Replaces IDs by their objects along each path (`data.customer`, `latest_invoice.lines`), as `expand` asks for. */
export async function expandPaths(store: Store, answer: unknown, paths: string[]): Promise<void> {
  for (const path of paths) await expandPath(store, answer, path.split('.'), path);
}

async function expandPath(store: Store, node: unknown, [head, ...rest]: string[], path: string): Promise<void> {
  if (Array.isArray(node)) {
    for (const entry of node) await expandPath(store, entry, head ? [head, ...rest] : [], path);
    return;
  }
  if (!head || !isNode(node)) return;
  const hasNoItemsYet = node.object === 'checkout.session' && head === 'line_items' && node.line_items === undefined;
  if (hasNoItemsYet) node.line_items = await listLineItems(store, String(node.id));
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

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

const cannotExpand = (path: string): StripeFault =>
  invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' });
