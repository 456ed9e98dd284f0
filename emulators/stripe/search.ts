// `GET …/search`: Stripe's search query language. Results are always up to date here; Stripe's may lag by a minute.
import { z } from 'zod';
import { type ApiError, invalidRequest, resourceMissing } from './errors';
import { expand, integer } from './parameters';
import { pageOf, type Route, route } from './route';
import type { ApiObject, ObjectType } from './wire';

/** The searchable fields of an object, besides its metadata. If the names differ, the field's path follows. */
const FIELDS = {
  charge: [
    'amount',
    'created',
    'currency',
    'customer',
    'disputed',
    'payment_method_details.card.last4',
    'refunded',
    'status',
  ],
  customer: ['created', 'email', 'name', 'phone'],
  invoice: [
    'created',
    'currency',
    'customer',
    'number',
    'subscription=parent.subscription_details.subscription',
    'total',
  ],
  payment_intent: ['amount', 'created', 'currency', 'customer', 'status'],
  price: ['active', 'currency', 'lookup_key', 'product', 'type'],
  product: ['active', 'description', 'name', 'shippable', 'url'],
  subscription: ['canceled_at', 'created', 'status'],
} as const satisfies Partial<Record<ObjectType, string[]>>;

type Searchable = keyof typeof FIELDS;

const QUOTED = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/.source;
const CLAUSE = new RegExp(
  `^\\s*(-?)(metadata\\[(${QUOTED})\\]|[a-z\\d_.]+)\\s*(:|~|>=|<=|>|<)\\s*(${QUOTED}|-?\\d+(?:\\.\\d+)?|null)`,
);
const JOINT = /^\s+(AND|OR)\s/i;

type Clause = { isNegated: boolean; place: string[]; operator: string; value: string | null };

export function search(path: `/${string}`, type: Searchable): Route {
  const params = z.strictObject({
    query: z.string().max(5000),
    limit: integer(1, 100).default(10),
    page: z.string().min(1).optional(),
    expand,
  });
  return {
    ...route('GET /', params, async (store, { query, limit, page }) => {
      const matches = readQuery(query, type);
      const all = (await store.all(type)) as ApiObject<Searchable>[];
      const found = all.filter(matches).reverse();
      if (page && !found.some(({ id }) => id === page)) throw resourceMissing(type, page, 'page');
      const { data, has_more } = pageOf(found, { limit, starting_after: page });
      const next_page = has_more ? (data.at(-1)?.id ?? null) : null;
      return { object: 'search_result', url: `/v1${path}/search`, has_more, next_page, data };
    }),
    path: `${path}/search`,
  };
}

/** @throws ApiError if the query cannot be parsed; clauses are joined by AND or by OR, not by both */
function readQuery(query: string, type: Searchable): (object: object) => boolean {
  const clauses: Clause[] = [];
  const joints = new Set<string>();
  let rest = query.trim();
  for (;;) {
    const [clause, minus, field = '', key, operator = '', value = ''] = CLAUSE.exec(rest) ?? [];
    if (!clause) throw unreadable(`We were unable to parse your search query at "${rest}".`);
    const place = key === undefined ? placeOf(field, type) : ['metadata', unquote(key)];
    clauses.push({ isNegated: minus === '-', place, operator, value: value === 'null' ? null : unquote(value) });
    rest = rest.slice(clause.length);
    if (rest === '') break;
    const [joint, word = ''] = JOINT.exec(rest) ?? [];
    if (!joint) throw unreadable(`We were unable to parse your search query at "${rest}".`);
    joints.add(word.toUpperCase());
    rest = rest.slice(joint.length);
  }
  if (joints.size > 1) throw unreadable('A search query cannot combine AND and OR.');
  const test = (object: object) => (clause: Clause) => isMatch(object, clause);
  return joints.has('OR') ? (object) => clauses.some(test(object)) : (object) => clauses.every(test(object));
}

function placeOf(field: string, type: Searchable): string[] {
  const known = FIELDS[type].find((name) => name.split('=')[0] === field);
  if (!known) throw unreadable(`Field \`${field}\` is an unsupported search field for resource \`${type}s\`.`);
  return (known.split('=')[1] ?? field).split('.');
}

function isMatch(object: object, { isNegated, place, operator, value: wanted }: Clause): boolean {
  const value = place.reduce<unknown>((at, name) => (at as Record<string, unknown> | null | undefined)?.[name], object);
  return isNegated !== compare(value ?? null, operator, wanted);
}

function compare(value: unknown, operator: string, wanted: string | null): boolean {
  if (value === null || wanted === null) return operator === ':' && value === wanted;
  if (operator === ':') return String(value).toLowerCase() === wanted.toLowerCase();
  if (operator === '~') return String(value).toLowerCase().includes(wanted.toLowerCase());
  const difference = Number(value) - Number(wanted);
  if (operator.startsWith('>')) return difference > 0 || (operator === '>=' && difference === 0);
  return difference < 0 || (operator === '<=' && difference === 0);
}

const unquote = (text: string): string => (/^["']/.test(text) ? text.slice(1, -1).replace(/\\(.)/g, '$1') : text);

const unreadable = (message: string): ApiError => invalidRequest(message, { param: 'query' });
