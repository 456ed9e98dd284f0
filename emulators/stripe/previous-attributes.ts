// An event's `previous_attributes`: the old values of what an update changed.
import { isDeepStrictEqual } from 'node:util';

export type Fields = Record<string, unknown>;

/** The old values of what changed, down to the keys of hashes; null for what is new. */
export function changedFields(before: Fields, after: Fields): Fields {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].flatMap((name) => {
    const [was, is] = [before[name] ?? null, after[name] ?? null];
    if (isDeepStrictEqual(was, is)) return [];
    return [[name, isHash(was) && isHash(is) ? changedFields(was, is) : was]];
  });
  return Object.fromEntries(changed);
}

/** The object before the change, from its current state and the old values. */
export function restoreFields(after: Fields, changed: Fields): Fields {
  const was = Object.entries(changed).map(([name, before]) => {
    const is = after[name];
    return [name, isHash(before) && isHash(is) ? restoreFields(is, before) : before];
  });
  return { ...after, ...Object.fromEntries(was) };
}

const isHash = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
