// The account's objects, within one transaction. Rows stay in here: what goes in and out are the API's own objects.
import 'server-only';
import { Prisma } from '@/prisma/generated/client';
import { readClock } from '../clock/clock';
import { resourceMissing } from './api/stripe-fault';
import type { AnyStripeObject, ApiObject, ObjectType, WireEvent } from './wire';

export type RequestInfo = { id: string | null; idempotency_key: string | null };

/** What an object carries beside its API form. `dueAt`: when it next changes by itself; null for never. */
export type Extra = { internal?: Record<string, unknown>; dueAt?: number | null };

type CreatedFilter = {
  gt?: number | undefined;
  gte?: number | undefined;
  lt?: number | undefined;
  lte?: number | undefined;
};

export type ListQuery = {
  where?: Record<string, unknown>;
  created?: CreatedFilter | undefined;
  limit: number;
  starting_after?: string | undefined;
  ending_before?: string | undefined;
};

export class Store {
  /** Unix seconds on the clock of the customer whose world this is, once `enter` has named it. */
  now = 0;
  /** Whose world it is: an e-mail address where there is one. Deliveries are grouped by it. */
  subject = '';
  /** What this unit of work has emitted; written when it ends. */
  readonly emitted: { event: WireEvent; subject: string }[] = [];

  private constructor(
    readonly tx: Prisma.TransactionClient,
    readonly request: RequestInfo,
  ) {}

  static async open(
    tx: Prisma.TransactionClient,
    request: RequestInfo = { id: null, idempotency_key: null },
  ): Promise<Store> {
    const store = new Store(tx, request);
    store.now = await readClock(undefined, tx);
    return store;
  }

  /** Enters a customer's world: its clock, and its lock until the transaction ends. `at` is for what fell due then. */
  async enter(customer: string, { param, at }: { param?: string; at?: number } = {}): Promise<ApiObject<'customer'>> {
    const object = await this.lock('customer', customer, param);
    this.now = at ?? (await readClock(customer, this.tx));
    this.subject = object.email?.toLowerCase() ?? customer;
    return object;
  }

  /** Reads an object and holds it until the transaction ends, so that two requests never change it at once. */
  async lock<Type extends ObjectType>(type: Type, id: string, param?: string): Promise<ApiObject<Type>> {
    const rows = await this.tx.$queryRaw<{ data: ApiObject<Type> }[]>`
      SELECT data FROM sandbox_stripe_object WHERE id = ${id} AND type = ${type} FOR UPDATE`;
    if (!rows[0]) throw resourceMissing(type, id, param);
    return rows[0].data;
  }

  async find<Type extends ObjectType>(type: Type, id: string): Promise<ApiObject<Type> | null> {
    const row = await this.tx.sandboxStripeObject.findFirst({ where: { id, type } });
    return row ? (row.data as ApiObject<Type>) : null;
  }

  /** The object, or the API's answer that there is none. `param` names the parameter that asked for it. */
  async get<Type extends ObjectType>(type: Type, id: string, param?: string): Promise<ApiObject<Type>> {
    const object = await this.find(type, id);
    if (!object) throw resourceMissing(type, id, param);
    return object;
  }

  async internal<Internal extends Record<string, unknown>>(id: string): Promise<Internal> {
    const row = await this.tx.sandboxStripeObject.findUnique({ where: { id }, select: { internal: true } });
    return (row?.internal ?? {}) as Internal;
  }

  async insert<T extends AnyStripeObject>(object: T, extra: Extra = {}): Promise<T> {
    await this.tx.sandboxStripeObject.createMany({ data: [toRow(object, extra)] });
    return object;
  }

  async insertAll(objects: AnyStripeObject[]): Promise<void> {
    await this.tx.sandboxStripeObject.createMany({ data: objects.map((object) => toRow(object)) });
  }

  /** Writes it back. What `extra` leaves out stays as it is. */
  async save<T extends AnyStripeObject>(object: T, { internal, dueAt }: Extra = {}): Promise<T> {
    await this.tx.sandboxStripeObject.updateMany({
      where: { id: object.id },
      data: {
        customer: customerOf(object),
        data: object as Prisma.InputJsonObject,
        ...(internal && { internal: internal as Prisma.InputJsonObject }),
        ...(dueAt !== undefined && { dueAt }),
      },
    });
    return object;
  }

  async remove(id: string): Promise<void> {
    await this.tx.sandboxStripeObject.delete({ where: { id } });
  }

  /** All objects of a type that match, oldest first. */
  async all<Type extends ObjectType>(type: Type, where: Record<string, unknown> = {}): Promise<ApiObject<Type>[]> {
    const rows = await this.tx.$queryRaw<{ data: ApiObject<Type> }[]>`
      SELECT data FROM sandbox_stripe_object WHERE type = ${type} AND ${matching(where)} ORDER BY sequence`;
    return rows.map(({ data }) => data);
  }

  /** One page, newest first, by Stripe's cursors. */
  async page<Type extends ObjectType>(
    type: Type,
    { where = {}, created = {}, limit, starting_after, ending_before }: ListQuery,
  ): Promise<{ data: ApiObject<Type>[]; has_more: boolean }> {
    const cursor = starting_after ?? ending_before;
    const at = cursor ? await this.sequenceOf(type, cursor, starting_after ? 'starting_after' : 'ending_before') : null;
    const isBackwards = !starting_after && Boolean(ending_before);
    const rows = await this.tx.$queryRaw<{ data: ApiObject<Type> }[]>`
      SELECT data FROM sandbox_stripe_object
      WHERE type = ${type} AND ${matching(where)} AND ${createdWithin(created)}
        AND ${at === null ? Prisma.sql`true` : isBackwards ? Prisma.sql`sequence > ${at}` : Prisma.sql`sequence < ${at}`}
      ORDER BY ${isBackwards ? Prisma.sql`sequence ASC` : Prisma.sql`sequence DESC`}
      LIMIT ${limit + 1}`;
    const data = rows.slice(0, limit).map((row) => row.data);
    return { data: isBackwards ? data.reverse() : data, has_more: rows.length > limit };
  }

  private async sequenceOf(type: ObjectType, id: string, param: string): Promise<bigint> {
    const row = await this.tx.sandboxStripeObject.findFirst({ where: { id, type }, select: { sequence: true } });
    if (!row) throw resourceMissing(type, id, param);
    return row.sequence;
  }
}

const toRow = (object: AnyStripeObject, { internal = {}, dueAt = null }: Extra = {}) => ({
  id: object.id,
  type: object.object,
  customer: customerOf(object),
  data: object as Prisma.InputJsonObject,
  internal: internal as Prisma.InputJsonObject,
  dueAt,
});

function customerOf(object: AnyStripeObject): string | null {
  if (object.object === 'customer') return object.id;
  const customer = (object as { customer?: unknown }).customer;
  return typeof customer === 'string' ? customer : null;
}

/** Containment for single values, membership for arrays; undefined matches everything. */
function matching(where: Record<string, unknown>): Prisma.Sql {
  const conditions = Object.entries(where).flatMap(([key, value]) => {
    if (value === undefined) return [];
    if (Array.isArray(value)) return [Prisma.sql`data->>${key} = ANY(${value.map(String)})`];
    return [Prisma.sql`data @> ${JSON.stringify({ [key]: value })}::jsonb`];
  });
  return conditions.length > 0 ? Prisma.join(conditions, ' AND ') : Prisma.sql`true`;
}

function createdWithin({ gt, gte, lt, lte }: CreatedFilter): Prisma.Sql {
  const created = Prisma.sql`(data->>'created')::bigint`;
  const conditions = [
    ...(gt === undefined ? [] : [Prisma.sql`${created} > ${gt}`]),
    ...(gte === undefined ? [] : [Prisma.sql`${created} >= ${gte}`]),
    ...(lt === undefined ? [] : [Prisma.sql`${created} < ${lt}`]),
    ...(lte === undefined ? [] : [Prisma.sql`${created} <= ${lte}`]),
  ];
  return conditions.length > 0 ? Prisma.join(conditions, ' AND ') : Prisma.sql`true`;
}
