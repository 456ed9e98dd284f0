// Lists of users: which ones a server asks for, and which page.
import { clerkErrors } from './errors';
import type { User } from './objects/user';

const LIMIT = { default: 10, max: 500 };
const MAX_OFFSET = 1_000_000;

const ORDERABLE = ['created_at', 'updated_at', 'last_sign_in_at'] as const;
/** Clerk also sorts by these; the emulator does not. */
const OTHER_ORDERS = [
  'email_address',
  'web3wallet',
  'first_name',
  'last_name',
  'phone_number',
  'username',
  'last_active_at',
];
const MAX_VALUES = 100;
const FILTERS = [
  'user_id',
  'external_id',
  'email_address',
  'email_address_query',
  'name_query',
  'query',
  'created_at_after',
  'created_at_before',
];
const PAGING = ['limit', 'offset', 'order_by'];

type UserFilter = {
  ids: string[];
  externalIds: string[];
  addresses: string[];
  text: string | null;
  addressText: string | null;
  nameText: string | null;
  createdAfter: number | null;
  createdBefore: number | null;
};

type UserPage = {
  limit: number;
  offset: number;
  orderBy: (typeof ORDERABLE)[number];
  direction: 'asc' | 'desc';
};

export function readUserFilter(query: URLSearchParams): UserFilter {
  const unknown = [...query.keys()].find((name) => ![...FILTERS, ...PAGING].includes(name));
  if (unknown) throw clerkErrors.notCovered(`the filter ${unknown}`, unknown);
  return {
    ids: readValues(query, 'user_id'),
    externalIds: readValues(query, 'external_id'),
    addresses: readValues(query, 'email_address').map((address) => address.trim().toLowerCase()),
    text: query.get('query')?.toLowerCase() ?? null,
    addressText: query.get('email_address_query')?.toLowerCase() ?? null,
    nameText: query.get('name_query')?.toLowerCase() ?? null,
    createdAfter: readInteger(query, 'created_at_after', { min: 0, max: Number.MAX_SAFE_INTEGER }),
    createdBefore: readInteger(query, 'created_at_before', { min: 0, max: Number.MAX_SAFE_INTEGER }),
  };
}

/** Newest first unless `order_by` says otherwise (`+` ascending, `-` descending). */
export function readUserPage(query: URLSearchParams): UserPage {
  const order = query.get('order_by') ?? '-created_at';
  const asked = order.replace(/^[+\- ]/, ''); // an unencoded `+` arrives as a space
  if (OTHER_ORDERS.includes(asked)) throw clerkErrors.notCovered(`the order ${asked}`, 'order_by');
  const column = ORDERABLE.find((name) => name === asked);
  if (!column) throw clerkErrors.formatInvalid('order_by');
  return { ...readPage(query), orderBy: column, direction: order.startsWith('-') ? 'desc' : 'asc' };
}

/** The page of a list that `limit` and `offset` select. */
export const readPage = (query: URLSearchParams): { limit: number; offset: number } => ({
  limit: readInteger(query, 'limit', { min: 1, max: LIMIT.max }) ?? LIMIT.default,
  offset: readInteger(query, 'offset', { min: 0, max: MAX_OFFSET }) ?? 0,
});

/** The values of a repeatable parameter. Clerk excludes or requires a value that begins with a sign. */
function readValues(query: URLSearchParams, name: string): string[] {
  const values = query.getAll(name);
  if (values.length > MAX_VALUES) throw clerkErrors.formatInvalid(name);
  const signed = values.find((value) => /^[+\- ]/.test(value));
  if (signed) throw clerkErrors.notCovered(`the sign of ${signed}`, name);
  return values;
}

function readInteger(query: URLSearchParams, name: string, { min, max }: { min: number; max: number }): number | null {
  const text = query.get(name);
  if (text === null) return null;
  const value = Number(text);
  if (text === '' || !Number.isInteger(value) || value < min || value > max) throw clerkErrors.formatInvalid(name);
  return value;
}

export function filterUsers(users: User[], filter: UserFilter): User[] {
  const { ids, externalIds, addresses, text, addressText, nameText, createdAfter, createdBefore } = filter;
  const isOneOf = (wanted: string[], actual: (string | null)[]) =>
    wanted.length === 0 || actual.some((value) => value !== null && wanted.includes(value));
  return users.filter((user) => {
    const own = user.email_addresses.map(({ email_address: address }) => address);
    const names = [user.first_name, user.last_name, `${user.first_name} ${user.last_name}`];
    const contains = (words: (string | null)[], part: string | null) =>
      part === null || words.some((word) => word?.toLowerCase().includes(part));
    return (
      isOneOf(ids, [user.id]) &&
      isOneOf(externalIds, [user.external_id]) &&
      isOneOf(addresses, own) &&
      contains([user.id, ...names, ...own], text) &&
      contains(own, addressText) &&
      contains(names, nameText) &&
      (createdAfter === null || user.created_at > createdAfter) &&
      (createdBefore === null || user.created_at < createdBefore)
    );
  });
}

/** The ID breaks ties, so that pages neither repeat nor skip a user. */
export function pageOfUsers(users: User[], { limit, offset, orderBy, direction }: UserPage): User[] {
  const ascending = users.toSorted(
    (left, right) => (left[orderBy] ?? 0) - (right[orderBy] ?? 0) || (left.id < right.id ? -1 : 1),
  );
  const ordered = direction === 'asc' ? ascending : ascending.reverse();
  return ordered.slice(offset, offset + limit);
}
