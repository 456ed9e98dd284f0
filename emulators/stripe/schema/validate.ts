import Ajv from 'ajv';
import schema from './stripe.schema.json';

// The schemas are generated, so they need no validation, and compiling them takes longer than using them.
const ajv = new Ajv({ allErrors: true, strict: false, validateSchema: false, code: { optimize: false } });
ajv.addSchema(schema, 'stripe');
// Compiled here and not in the first test that needs it: nearly all others are reachable from this one.
ajv.getSchema('stripe#/definitions/checkout.session');

const isTyped = (value: unknown): value is { object: string } =>
  typeof value === 'object' && value !== null && typeof (value as { object?: unknown }).object === 'string';

/** What is wrong with an object by the SDK's types, one line per problem; lists and events are checked inside. */
export function schemaProblems(object: unknown): string[] {
  if (!isTyped(object)) return ['It has no `object`.'];
  if (object.object === 'list' || object.object === 'search_result')
    return (object as unknown as { data: unknown[] }).data.flatMap(schemaProblems);
  const validate = ajv.getSchema(`stripe#/definitions/${object.object}`);
  if (!validate) return [`There is no schema for \`${object.object}\`.`];
  const own = validate(object)
    ? []
    : (validate.errors ?? []).map(
        ({ instancePath, message, params }) => `${object.object}${instancePath} ${message} ${JSON.stringify(params)}`,
      );
  if (object.object !== 'event') return own;
  return [...own, ...schemaProblems((object as unknown as { data: { object: unknown } }).data.object)];
}
