// What the objects have in common: their `object`, their `livemode`, and null for what they do not have.
import schema from '../schema/stripe.schema.json';
import type { ApiObject, ObjectType } from '../wire';

/** The fields that may be null. */
type Nullable<T> = { [Key in keyof T]-?: null extends T[Key] ? Key : never }[keyof T];

type Given<T> = Omit<T, Nullable<T> | 'object' | 'livemode'> & { [Key in Nullable<T>]?: T[Key] | undefined };

type Shape = { properties?: object; required?: string[] };

/** Each type's fields in their order, with what they are unless given: undefined if they may be left out. */
const FIELDS = new Map(
  Object.entries(schema.definitions as Record<string, Shape>).map(([type, { properties = {}, required = [] }]) => {
    const fixed: Record<string, unknown> = { object: type, livemode: false };
    const emptyOf = (name: string) => (required.includes(name) ? (fixed[name] ?? null) : undefined);
    return [type, Object.keys(properties).map((name) => [name, emptyOf(name)] as const)];
  }),
);

/**
 * An object of the API. A required field that may be null is null unless it is given; one that may not be null does not
 * compile without a value.
 */
export function build<Type extends Exclude<ObjectType, `deleted_${string}`>>(
  type: Type,
  given: Given<ApiObject<Type>>,
): ApiObject<Type> {
  const object: Record<string, unknown> = {};
  for (const [name, empty] of FIELDS.get(type) ?? []) {
    const { [name]: value = empty } = given as Record<string, unknown>;
    if (value !== undefined) object[name] = value;
  }
  return object as ApiObject<Type>;
}
