// `expand`: IDs in a response are replaced by their objects. What can be expanded follows from the SDK's types.
import { paymentIntentOf } from './billing/invoice-payments';
import { listLineItems } from './checkout/plan';
import { type ApiError, invalidRequest } from './errors';
import { CURRENT_STATUSES } from './objects/subscriptions';
import { isBeforeBasil } from './older-shapes';
import { listOf } from './route';
import schema from './schema/stripe.schema.json';
import type { Store } from './store';
import type { ObjectType } from './wire';

const MAX_LEVELS = 4;

/** The part of an object's or a field's schema that this needs. */
type Shape = {
  $ref?: string;
  anyOf?: Shape[];
  items?: Shape;
  properties?: Record<string, Shape>;
  const?: unknown;
};

const SHAPES = schema.definitions as Record<string, Shape>;

/** What an object has only on request: lists and secrets. */
const INCLUDED: Record<string, (store: Store, id: string) => Promise<unknown>> = {
  'charge.refunds': async (store, charge) =>
    listOf(`/v1/charges/${charge}/refunds`, await store.page('refund', { where: { charge }, limit: 10 })),
  'checkout.session.line_items': listLineItems,
  'customer.subscriptions': async (store, customer) => {
    const where = { customer, status: CURRENT_STATUSES };
    return listOf(`/v1/customers/${customer}/subscriptions`, await store.page('subscription', { where, limit: 10 }));
  },
  'invoice.confirmation_secret': async (store, invoice) => {
    const id = await paymentIntentOf(store, invoice);
    const { client_secret = null } = id ? await store.get('payment_intent', id) : {};
    return client_secret && { client_secret, type: 'payment_intent' };
  },
  'invoice.payments': async (store, invoice) =>
    listOf(`/v1/invoice_payments?invoice=${invoice}`, { data: await store.all('invoice_payment', { invoice }) }),
};

type Node = Record<string, unknown>;

/** Follows each path, such as `data.customer` or `latest_invoice.lines`. */
export async function expandPaths(store: Store, response: unknown, paths: string[]): Promise<void> {
  for (const path of paths) {
    const levels = path.split('.');
    if (levels.length > MAX_LEVELS) {
      throw invalidRequest(`You cannot expand more than 4 levels of a property. Property: ${path}`, {
        param: 'expand',
        code: 'property_expansion_max_depth',
      });
    }
    await expandResponse(store, response as Node, levels, path);
  }
}

async function expandResponse(store: Store, response: Node, levels: string[], path: string): Promise<void> {
  if (response.object !== 'list' && response.object !== 'search_result')
    return expandPath(store, response, SHAPES[String(response.object)], levels, path);
  const [data, ...rest] = levels;
  if (data !== 'data' || rest.length === 0) throw cannotExpand(path);
  for (const entry of response.data as Node[]) {
    await expandPath(store, entry, SHAPES[String(entry.object)], rest, path);
  }
}

/** @param shape of the node, or of its entries if it is an array */
async function expandPath(
  store: Store,
  node: unknown,
  shape: Shape | undefined,
  [head, ...rest]: string[],
  path: string,
): Promise<void> {
  if (!head || typeof node !== 'object' || node === null) return;
  if (Array.isArray(node)) {
    for (const entry of node) await expandPath(store, entry, shape, [head, ...rest], path);
    return;
  }
  const owner = node as Node;
  if (owner.object === 'invoice' && head === 'payment_intent' && isBeforeBasil(store.apiVersion)) {
    const id = await paymentIntentOf(store, String(owner.id));
    owner[head] = id && (await store.get('payment_intent', id));
    return expandPath(store, owner[head], SHAPES.payment_intent, rest, path);
  }
  const isIncluded = owner[head] === undefined;
  if (isIncluded) owner[head] = await INCLUDED[`${owner.object}.${head}`]?.(store, String(owner.id));
  if (owner[head] === null) return;
  const options = optionsOf(shape?.properties?.[head]);
  const whole = options.find(typeOf);
  const inner = whole ?? options.find(({ properties }) => properties);
  if (owner[head] === undefined || !inner || (!whole && !isIncluded && rest.length === 0)) throw cannotExpand(path);
  if (whole) owner[head] = await loadAll(store, owner[head], typeOf(whole) as ObjectType, path);
  await expandPath(store, owner[head], inner, rest, path);
}

/** What a field can hold. */
function optionsOf(field: Shape | undefined): Shape[] {
  if (!field) return [];
  if (field.$ref) return optionsOf(SHAPES[field.$ref.replace('#/definitions/', '')]);
  if (field.anyOf) return field.anyOf.flatMap(optionsOf);
  return field.items ? optionsOf(field.items) : [field];
}

/** The `object` of an object of the API or of a list; hashes have none. */
const typeOf = ({ properties }: Shape): unknown => properties?.object?.const;

/** Objects that others may still name after their deletion. */
const DELETED: Partial<Record<ObjectType, ObjectType>> = { customer: 'deleted_customer', coupon: 'deleted_coupon' };

async function loadAll(store: Store, value: unknown, type: ObjectType, path: string): Promise<unknown> {
  if (Array.isArray(value)) {
    const loaded: unknown[] = [];
    for (const entry of value) loaded.push(await loadAll(store, entry, type, path));
    return loaded;
  }
  if (typeof value !== 'string') return value;
  const deleted = DELETED[type];
  const object = (await store.find(type, value)) ?? (deleted && (await store.find(deleted, value)));
  if (!object) throw cannotExpand(path);
  return object;
}

const cannotExpand = (path: string): ApiError =>
  invalidRequest(
    `This property cannot be expanded (${path}). Stripe has nothing to expand there, or the Stripe emulator does not cover it.`,
    { param: 'expand' },
  );
