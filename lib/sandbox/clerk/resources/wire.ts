/**
 * A resource of ours against Clerk's own type of it: no field that Clerk does not have, none with another type. Clerk's
 * types are stricter than its answers, so fields may be absent or null. Use it with `satisfies`.
 */
export type Wire<T> = T extends readonly (infer Item)[]
  ? Wire<Item>[]
  : T extends object
    ? { [Key in keyof T]?: Wire<T[Key]> | null }
    : T;
