// Objects of one provider, within one transaction. Rows stay in here: what goes in and out are the API's own objects.
import type { Sql } from './database';

type Identified = { id: string };

/** What an object carries besides its API form. */
export type Extra = {
  /** What the API does not show. */
  internal?: Record<string, unknown>;
  /** When it next changes by itself, in Unix seconds of its customer's clock; null for never. */
  dueAt?: number | null;
};

export type Filter = Record<string, unknown>;

/** A filter's text, whatever the case of its letters. */
export class AnyCase {
  constructor(readonly text: string) {}
}

export type PageQuery = {
  where?: Filter;
  created?: { gt?: number | undefined; gte?: number | undefined; lt?: number | undefined; lte?: number | undefined };
  limit: number;
  /** Only objects written before or after this one. */
  before?: number | undefined;
  after?: number | undefined;
};

export class Objects<Types extends Record<string, Identified>> {
  /** @param provider the prefix of the types in the database, such as `stripe` */
  constructor(
    readonly sql: Sql,
    private readonly provider: string,
  ) {}

  async find<Type extends keyof Types & string>(type: Type, id: string): Promise<Types[Type] | null> {
    const [row] = await this.sql<{ data: Types[Type] }>('SELECT data FROM object WHERE id = $1 AND type = $2', [
      id,
      this.name(type),
    ]);
    return row?.data ?? null;
  }

  /** What the API does not show of an object; empty if there is nothing. */
  async internal<Internal extends Record<string, unknown>>(id: string): Promise<Internal> {
    const [row] = await this.sql<{ internal: Internal }>('SELECT internal FROM object WHERE id = $1', [id]);
    return (row?.internal ?? {}) as Internal;
  }

  async insert<Type extends keyof Types & string>(
    type: Type,
    object: Types[Type],
    { internal = {}, dueAt = null }: Extra = {},
  ): Promise<void> {
    await this.sql(
      `INSERT INTO object (id, type, customer, data, internal, due_at)
       VALUES ($1, $2, $3, $4::jsonb, $5::jsonb, $6)`,
      [object.id, this.name(type), customerOf(type, object), toJson(object), toJson(internal), dueAt],
    );
  }

  /** Writes an object back. What `extra` leaves out is unchanged. */
  async save<Type extends keyof Types & string>(type: Type, object: Types[Type], extra: Extra = {}): Promise<void> {
    const { internal, dueAt } = extra;
    await this.sql(
      `UPDATE object SET customer = $2, data = $3::jsonb, internal = coalesce($4::jsonb, internal),
         due_at = CASE WHEN $5 THEN $6::bigint ELSE due_at END
       WHERE id = $1 AND type = $7`,
      [
        object.id,
        customerOf(type, object),
        toJson(object),
        internal ? toJson(internal) : null,
        dueAt !== undefined,
        dueAt ?? null,
        this.name(type),
      ],
    );
  }

  async remove(type: keyof Types & string, id: string): Promise<void> {
    await this.sql('DELETE FROM object WHERE id = $1 AND type = $2', [id, this.name(type)]);
  }

  /** All objects of a type that match, oldest first. */
  async all<Type extends keyof Types & string>(type: Type, where: Filter = {}): Promise<Types[Type][]> {
    const { text, params } = matching(where, [this.name(type)]);
    const rows = await this.sql<{ data: Types[Type] }>(
      `SELECT data FROM object WHERE type = $1 AND ${text} ORDER BY sequence`,
      params,
    );
    return rows.map(({ data }) => data);
  }

  /** One page, newest first; `after` reverses the direction, as `ending_before` does. */
  async page<Type extends keyof Types & string>(
    type: Type,
    { where = {}, created = {}, limit, before, after }: PageQuery,
  ): Promise<{ data: Types[Type][]; has_more: boolean }> {
    const { text, params } = matching(where, [this.name(type)]);
    const conditions = [text];
    const compare = (column: string, operator: string, value: number | undefined) => {
      if (value !== undefined) conditions.push(`${column} ${operator} $${params.push(value)}`);
    };
    compare(CREATED, '>', created.gt);
    compare(CREATED, '>=', created.gte);
    compare(CREATED, '<', created.lt);
    compare(CREATED, '<=', created.lte);
    compare('sequence', '<', before);
    compare('sequence', '>', after);
    const isBackwards = after !== undefined && before === undefined;
    const rows = await this.sql<{ data: Types[Type] }>(
      `SELECT data FROM object WHERE type = $1 AND ${conditions.join(' AND ')}
       ORDER BY sequence ${isBackwards ? 'ASC' : 'DESC'} LIMIT $${params.push(limit + 1)}`,
      params,
    );
    const data = rows.slice(0, limit).map((row) => row.data);
    return { data: isBackwards ? data.reverse() : data, has_more: rows.length > limit };
  }

  /** An object's position in the order of writing, which cursors are based on; null if it does not exist. */
  async sequenceOf<Type extends keyof Types & string>(type: Type, id: string): Promise<number | null> {
    const [row] = await this.sql<{ sequence: number }>('SELECT sequence FROM object WHERE id = $1 AND type = $2', [
      id,
      this.name(type),
    ]);
    return row?.sequence ?? null;
  }

  /**
   * Reserves a value for one object of the type, such as an email address for a user. It is free again when the object
   * is removed.
   * @returns false if another object has it
   */
  async reserve(type: keyof Types & string, value: string, id: string): Promise<boolean> {
    const rows = await this.sql(
      'INSERT INTO unique_value (type, value, object) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING object',
      [this.name(type), value, id],
    );
    return rows.length === 1 || (await this.holderOf(type, value)) === id;
  }

  async release(type: keyof Types & string, value: string): Promise<void> {
    await this.sql('DELETE FROM unique_value WHERE type = $1 AND value = $2', [this.name(type), value]);
  }

  /** The ID of the object for which a value is reserved, or null. */
  async holderOf(type: keyof Types & string, value: string): Promise<string | null> {
    const [row] = await this.sql<{ object: string }>('SELECT object FROM unique_value WHERE type = $1 AND value = $2', [
      this.name(type),
      value,
    ]);
    return row?.object ?? null;
  }

  private name(type: string): string {
    return `${this.provider}.${type}`;
  }
}

/** An invoice item has its `date`. */
const CREATED = "coalesce(data->>'created', data->>'date')::bigint";

const toJson = (value: unknown): string => JSON.stringify(value);

function customerOf(type: string, object: Identified): string | null {
  if (type === 'customer') return object.id;
  const { customer } = object as { customer?: unknown };
  return typeof customer === 'string' ? customer : null;
}

/** Containment for single values, membership for arrays, letters of any case for `AnyCase`; undefined matches everything. */
function matching(where: Filter, params: unknown[]): { text: string; params: unknown[] } {
  const conditions = Object.entries(where).flatMap(([key, value]) => {
    if (value === undefined) return [];
    if (Array.isArray(value)) {
      return [`data->>$${params.push(key)}::text = ANY($${params.push(value.map(String))}::text[])`];
    }
    if (value instanceof AnyCase)
      return [`lower(data->>$${params.push(key)}::text) = lower($${params.push(value.text)})`];
    return [`data @> $${params.push(toJson({ [key]: value }))}::jsonb`];
  });
  return { text: conditions.join(' AND ') || 'true', params };
}
