// What a route of the API is: a method, a path, its parameters, and what it does. Hono matches them (api.ts).
import { z } from 'zod';
import { resourceMissing } from './errors';
import type { EventType } from './event-types';
import { applyUpdate, expand, listParameters, metadata, toApiError } from './parameters';
import type { Store } from './store';
import type { ObjectType } from './wire';

type Method = 'GET' | 'POST' | 'DELETE';

/** The names in a path: `{ id: string }` for `/customers/:id`. */
type PathParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { [Key in Name]: string } & PathParams<Rest>
  : Path extends `${string}:${infer Name}`
    ? { [Key in Name]: string }
    : unknown;

export type Route = {
  method: Method;
  path: string;
  run: (store: Store, params: unknown, path: Record<string, string>) => Promise<unknown>;
};

/** A route whose parameters are parsed at the edge; inside, their types are trusted. */
export function route<const Line extends `${Method} /${string}`, Schema extends z.ZodType>(
  line: Line,
  params: Schema,
  handle: (store: Store, params: z.output<Schema>, path: PathParams<Line>) => Promise<unknown>,
): Route {
  const [method, path] = line.split(' ') as [Method, string];
  return {
    method,
    path,
    run: async (store, given, names) => {
      const parsed = params.safeParse(given);
      if (!parsed.success) throw toApiError(parsed.error, given);
      return handle(store, parsed.data, names as PathParams<Line>);
    },
  };
}

export const onlyExpand = z.strictObject({ expand });

/** `GET …/:id` */
export const retrieve = (path: `/${string}`, type: ObjectType): Route => ({
  ...route('GET /:id', onlyExpand, (store, _params, { id }) => store.get(type, id)),
  path: `${path}/:id`,
});

/**
 * `POST …/:id`: changes the given fields.
 * @param fields the parameters besides `metadata`
 * @param event reports the change, if Stripe has an event for it
 */
export const update = (
  path: `/${string}`,
  type: 'checkout.session' | 'coupon' | 'refund' | 'tax_rate',
  fields: z.ZodRawShape,
  event?: EventType,
): Route => ({
  ...route(
    'POST /:id',
    z.strictObject({ ...fields, metadata: metadata.optional(), expand }),
    async (store, given, { id }) => {
      const object = await store.get(type, id);
      if (event) return store.update(event, object, () => applyUpdate(object, given));
      applyUpdate(object, given);
      return store.save(object);
    },
  ),
  path: `${path}/:id`,
});

/**
 * `GET …`: a page of objects. A list for a customer that does not exist is refused.
 * @param filters the parameters besides those of every list
 * @param where maps them to fields whose names differ
 */
export function list<Filters extends z.ZodRawShape>(
  path: `/${string}`,
  type: ObjectType,
  filters: Filters,
  where: (given: z.output<z.ZodObject<Filters>>) => Record<string, unknown> = (given) => given,
): Route {
  const schema = z.strictObject({ ...filters, ...listParameters });
  return {
    ...route('GET /', schema, async (store, given) => {
      const { limit, starting_after, ending_before, created, expand: _expand, ...rest } = given as ListGiven;
      if (typeof rest.customer === 'string') await store.get('customer', rest.customer, 'customer');
      const matching = where(rest as z.output<z.ZodObject<Filters>>);
      return listOf(
        `/v1${path}`,
        await store.page(type, { where: matching, limit, starting_after, ending_before, created }),
      );
    }),
    path,
  };
}

/** `GET /customers/:id/…`: a page of what belongs to a customer. */
export const listOfCustomer = (
  name: string,
  type: 'customer_balance_transaction' | 'payment_method',
  filters: z.ZodRawShape = {},
): Route =>
  route(
    `GET /customers/:id/${name}`,
    z.strictObject({ ...listParameters, ...filters }),
    async (store, given, { id: customer }) => {
      const { limit, starting_after, ending_before, created, expand: _expand, ...where } = given;
      await store.get('customer', customer);
      const query = { where: { ...where, customer }, limit, starting_after, ending_before, created };
      return listOf(`/v1/customers/${customer}/${name}`, await store.page(type, query));
    },
  );

type ListGiven = z.output<z.ZodObject<typeof listParameters>> & Record<string, unknown>;

/** A page in the API's list form. */
export const listOf = <T>(url: string, { data, has_more = false }: { data: T[]; has_more?: boolean }) => ({
  object: 'list' as const,
  url,
  has_more,
  data,
});

export type PageOfItems = { limit: number; starting_after?: string | undefined; ending_before?: string | undefined };

/**
 * A page of items without their own rows, by the cursors of every list.
 * @param items all of them, in the order in which they are listed
 */
export function pageOf<Item extends { id: string; object: string }>(
  items: Item[],
  { limit, starting_after, ending_before }: PageOfItems,
): { data: Item[]; has_more: boolean } {
  const indexOf = (id: string, param: string) => {
    const index = items.findIndex((item) => item.id === id);
    if (index < 0) throw resourceMissing(items[0]?.object ?? 'item', id, param);
    return index;
  };
  if (ending_before && !starting_after) {
    const before = items.slice(0, indexOf(ending_before, 'ending_before'));
    return { data: before.slice(-limit), has_more: before.length > limit };
  }
  const after = starting_after ? items.slice(indexOf(starting_after, 'starting_after') + 1) : items;
  return { data: after.slice(0, limit), has_more: after.length > limit };
}
