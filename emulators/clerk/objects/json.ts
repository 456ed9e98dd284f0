// Shared by Clerk's objects.

export type Metadata = Record<string, unknown>;

/**
 * Checks our object against Clerk's type: no field that Clerk does not have, and none of another type. Clerk's
 * types are stricter than its responses, so fields may be absent or null. Use it with `satisfies`.
 */
export type Wire<T> = T extends readonly (infer Item)[]
  ? Wire<Item>[]
  : T extends object
    ? { [Key in keyof T]?: Wire<T[Key]> | null }
    : T;

const AVATAR_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="#8a8f98"/>' +
  '<circle cx="4" cy="3.1" r="1.4" fill="#fff"/><path d="M1.4 8a2.6 2.6 0 0 1 5.2 0z" fill="#fff"/></svg>';

/** Every user's picture: loading it sends no request off this machine. */
export const AVATAR = `data:image/svg+xml;base64,${Buffer.from(AVATAR_SVG).toString('base64')}`;

/** Clerk's response to a deletion, and the data of its webhook. */
export const deletedJson = (object: string, id: string) => ({ object, id, deleted: true });

const isObject = (value: unknown): value is Metadata =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Deep merge as Clerk's metadata endpoints do it: objects are merged, everything else is replaced, null removes a key. */
export function mergeMetadata(current: Metadata, change: Metadata): Metadata {
  const merged = new Map(Object.entries(current));
  for (const [key, value] of Object.entries(change)) {
    const before = merged.get(key);
    if (value === null) merged.delete(key);
    else merged.set(key, isObject(value) && isObject(before) ? mergeMetadata(before, value) : value);
  }
  return Object.fromEntries(merged);
}
