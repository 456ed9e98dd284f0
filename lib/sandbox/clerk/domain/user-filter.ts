import { clerkErrors } from '../errors';

const LIMIT = { default: 10, max: 500 };
const MAX_OFFSET = 1_000_000;

const ORDERABLE = { created_at: 'createdAt', updated_at: 'updatedAt', last_sign_in_at: 'lastSignInAt' } as const;

export type UserFilter = {
  ids: string[];
  addresses: string[];
  query: string | null;
  createdAfter: Date | null;
  createdBefore: Date | null;
};

export type UserPage = {
  limit: number;
  offset: number;
  orderBy: (typeof ORDERABLE)[keyof typeof ORDERABLE];
  direction: 'asc' | 'desc';
};

/** Which users a server asks for: by ID, address, text, or time of creation (milliseconds). */
export function readUserFilter(query: URLSearchParams): UserFilter {
  return {
    ids: query.getAll('user_id'),
    addresses: query.getAll('email_address').map((address) => address.trim().toLowerCase()),
    query: query.get('query'),
    createdAfter: readTime(query, 'created_at_after'),
    createdBefore: readTime(query, 'created_at_before'),
  };
}

/** Which page of them, in which order: newest first unless `order_by` says otherwise (`+` ascending, `-` descending). */
export function readUserPage(query: URLSearchParams): UserPage {
  const order = query.get('order_by') ?? '-created_at';
  const column = order.replace(/^[+\- ]/, ''); // an unencoded `+` arrives as a space
  if (!isOrderable(column)) throw clerkErrors.formatInvalid('order_by');
  return {
    limit: readInteger(query, 'limit', LIMIT.default, 1, LIMIT.max),
    offset: readInteger(query, 'offset', 0, 0, MAX_OFFSET),
    orderBy: ORDERABLE[column],
    direction: order.startsWith('-') ? 'desc' : 'asc',
  };
}

const isOrderable = (column: string): column is keyof typeof ORDERABLE => Object.hasOwn(ORDERABLE, column);

function readInteger(query: URLSearchParams, name: string, fallback: number, min: number, max: number): number {
  const text = query.get(name);
  if (text === null) return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || value > max) throw clerkErrors.formatInvalid(name);
  return value;
}

function readTime(query: URLSearchParams, name: string): Date | null {
  const text = query.get(name);
  if (text === null) return null;
  const time = new Date(Number(text));
  if (Number.isNaN(time.getTime())) throw clerkErrors.formatInvalid(name);
  return time;
}
