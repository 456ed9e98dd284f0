import type { Metadata } from '../records';

const isObject = (value: unknown): value is Metadata =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Deep merge as Clerk's metadata endpoint does it: objects are merged, all else replaced, null removes a key. */
export function mergeMetadata(current: Metadata, change: Metadata): Metadata {
  const merged = new Map(Object.entries(current));
  for (const [key, value] of Object.entries(change)) {
    const before = merged.get(key);
    if (value === null) merged.delete(key);
    else merged.set(key, isObject(value) && isObject(before) ? mergeMetadata(before, value) : value);
  }
  return Object.fromEntries(merged);
}
