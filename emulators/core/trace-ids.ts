// The IDs in a message: those of the providers by their form, those of the app by the names of their fields. Pure.
import type { Profile } from './profile';

const PROVIDER_ID =
  /\b(?:user|sess|client|sua|sia|idn|msg|cus|cs|sub|si|in|ii|pi|pm|ch|re|evt|du|dp|txn|seti|cn|clock|bps|dlv)_(?:test_|live_)?(?=[a-z]*[A-Z0-9])[A-Za-z0-9]{8,}\b/g;
// Bounded, and started once per run of characters: a long body without an address is read in linear time.
const EMAIL = /(?<![\w.+-])[\w.+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,}\b/g;
/** Pages and exports, which name people other than the visitor. */
const OF_MANY = /x-component|csv/;
const LIST = /^\s*(?:\[|\{\s*"(?:object"\s*:\s*"list"|data"\s*:\s*\[))/;
/** As logs name a request. Something shorter, such as "1", would join the messages of several visitors. */
const REQUEST_ID = /^[\w.:-]{8,128}$/;
const MOST_IDS = 40;
const ENDS_WITH_NAME = (fields: readonly string[]) => fields.map((name) => name.replace(/[^\w-]/g, '')).join('|');

export type Part = { headers: Record<string, string>; body: string };
export type Exchange = { path: string; request: Part; response: Part };

export type FollowedId = { label: string; field: string; value: string };

const names = ({ ids }: Profile): string[] => ids.flatMap(({ fields }) => fields);

/** The IDs of the app's own fields in a text: JSON, a form or a query. */
export function findAppIds(text: string, profile: Profile): FollowedId[] {
  const fields = names(profile);
  if (fields.length === 0 || text === '') return [];
  const json = new RegExp(`"(${ENDS_WITH_NAME(fields)})"\\s*:\\s*"([^"\\\\]{1,255})"`, 'g');
  const form = new RegExp(`(?:^|[?&\\[]|%5B)(${ENDS_WITH_NAME(fields)})(?:\\]|%5D)?=([^&#\\s]{1,255})`, 'gi');
  const found = [
    ...[...text.matchAll(json)].map(([, field = '', value = '']) => ({ field, value })),
    ...[...text.matchAll(form)].map(([, field = '', value = '']) => ({ field, value: decode(value) })),
  ];
  // Clerk's browser code sends metadata as JSON inside a form.
  const parts = text.replaceAll('&', '\n');
  const decoded = text.includes('%22') ? decodeEach(parts) : parts;
  const nested = decoded === parts ? [] : findAppIds(decoded, profile);
  return [...found.map((id) => ({ ...id, label: labelOf(profile, id.field) })), ...nested];
}

/** The IDs of the app in the cookies that a message carries or sets. */
export function findCookieIds({ request, response }: Exchange, profile: Profile): FollowedId[] {
  const cookies = `${request.headers.cookie ?? ''}; ${response.headers['set-cookie'] ?? ''}`;
  return names(profile).flatMap((field) => {
    const found = new RegExp(`(?:^|[;,]\\s*)${field.replace(/[^\w-]/g, '')}=([^;,\\s]{1,255})`).exec(cookies)?.[1];
    return found ? [{ label: labelOf(profile, field), field, value: decode(found) }] : [];
  });
}

/** The providers' IDs in a text. */
export const findProviderIds = (text: string): string[] => [...new Set(text.match(PROVIDER_ID) ?? [])];

/**
 * The IDs and email addresses that a message shares with the other messages of one visitor, and the ID of its request. A list or
 * a page says nothing about a visitor: only what was requested counts there.
 */
export function findSubjects(message: Exchange, profile: Profile): string[] {
  const messageId = message.request.headers['svix-id'] ?? '';
  const { headers, body } = message.response;
  const isOfMany = OF_MANY.test(headers['content-type'] ?? '') || LIST.test(body);
  const texts = [message.path, messageId, message.request.body, isOfMany ? '' : body];
  const found = texts.flatMap((text) => [
    ...findAppIds(text, profile).map(({ value }) => value),
    ...findProviderIds(text),
    ...(decodeEach(text).match(EMAIL) ?? []).map((address) => address.toLowerCase()),
  ]);
  const cookies = findCookieIds(message, profile).map(({ value }) => value);
  const requestIds = [message.request, message.response]
    .map((part) => part.headers['x-request-id'] ?? '')
    .filter((value) => REQUEST_ID.test(value));
  return [...new Set([...cookies, ...requestIds, ...found])].slice(0, MOST_IDS);
}

/** Whether a text (JSON, a form or a query) names this email address or ID as a whole, in any case. */
export function mentions(text: string, subject: string): boolean {
  const literal = subject.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const whole = new RegExp(`(?<![\\p{L}\\p{N}_.+-])${literal}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`, 'iu');
  return whole.test(decodeEach(text));
}

const labelOf = ({ ids }: Profile, field: string): string =>
  ids.find(({ fields }) => fields.some((name) => name.toLowerCase() === field.toLowerCase()))?.label ?? field;

/** Without NUL, which the database does not take. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text).replaceAll('\0', '');
  } catch {
    return text;
  }
}

/** Decodes each run of escapes by itself, so that a malformed one, as in "50%", does not stop the others. */
const decodeEach = (text: string): string => text.replace(/(?:%[0-9a-f]{2})+/gi, decode);

/** Where an ID is in a JSON text: the type and ID of the object around it, and the name of the field. */
export type IdPlace = { object: string | null; id: string | null; field: string };

export function findPlaces(body: string, value: string): IdPlace[] {
  const places: IdPlace[] = [];
  const visit = (node: unknown, field: string, object: string | null, id: string | null) => {
    if (node === value) places.push({ object, id, field });
    if (typeof node !== 'object' || node === null) return;
    const entries = Object.entries(node);
    const own = node as { object?: unknown; id?: unknown };
    const isObject = typeof own.object === 'string' && own.object !== 'list' && typeof own.id === 'string';
    for (const [key, child] of entries) {
      const name = /^(metadata|unsafe_metadata)$/.test(field) ? `${field}.${key}` : key;
      visit(
        child,
        Array.isArray(node) ? field : name,
        isObject ? String(own.object) : object,
        isObject ? String(own.id) : id,
      );
    }
  };
  visit(parse(body), '', null, null);
  return places;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
