// Derives JSON schemas for the objects that the Stripe emulator emits from the types of the installed `stripe` package, so that
// they match exactly the API version that the SDK pins, and the list of that version's events. Tests check objects against the
// schemas, and `expand` follows them. Run it after every update of the SDK:
//   npm exec --yes --package=typescript@5.9 -- node emulators/stripe/schema/generate.mjs
// TypeScript 7 has no JavaScript API, so this borrows version 5's from the directory that npm has put on the PATH.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const OUTPUT = 'emulators/stripe/schema/stripe.schema.json';
const EVENTS_OUTPUT = 'emulators/stripe/schema/enabled-events.json';

/** `object` on the wire → the SDK's type. */
const ROOTS = {
  'billing_portal.configuration': 'Stripe.BillingPortal.Configuration',
  'billing_portal.session': 'Stripe.BillingPortal.Session',
  charge: 'Stripe.Charge',
  'checkout.session': 'Stripe.Checkout.Session',
  coupon: 'Stripe.Coupon',
  credit_note: 'Stripe.CreditNote',
  credit_note_line_item: 'Stripe.CreditNoteLineItem',
  customer: 'Stripe.Customer',
  customer_balance_transaction: 'Stripe.CustomerBalanceTransaction',
  discount: 'Stripe.Discount',
  dispute: 'Stripe.Dispute',
  invoice: 'Stripe.Invoice',
  invoice_payment: 'Stripe.InvoicePayment',
  invoiceitem: 'Stripe.InvoiceItem',
  item: 'Stripe.LineItem',
  payment_intent: 'Stripe.PaymentIntent',
  payment_method: 'Stripe.PaymentMethod',
  price: 'Stripe.Price',
  product: 'Stripe.Product',
  promotion_code: 'Stripe.PromotionCode',
  refund: 'Stripe.Refund',
  subscription: 'Stripe.Subscription',
  subscription_item: 'Stripe.SubscriptionItem',
  tax_rate: 'Stripe.TaxRate',
  'test_helpers.test_clock': 'Stripe.TestHelpers.TestClock',
  webhook_endpoint: 'Stripe.WebhookEndpoint',
};

/** Left out to keep the file small: the emulator leaves them null or absent. */
const NEVER_EMITTED = new Set([
  ...['last_finalization_error', 'pending_update', 'setup_intent'],
  ...['source', 'sources'],
  ...['ach_credit_transfer', 'ach_debit', 'sepa_credit_transfer', 'stripe_account', 'wechat'], // of old charges
]);
/** The one `source` that is emitted: a discount's coupon. */
const EMITTED = 'discount.source';

/** Written without TypeScript's own help: the event, which the SDK types as a union of hundreds. */
const EVENT = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'object', 'api_version', 'created', 'data', 'livemode', 'pending_webhooks', 'request', 'type'],
  properties: {
    id: { type: 'string' },
    object: { const: 'event' },
    account: { type: 'string' },
    api_version: { type: ['string', 'null'] },
    context: { type: 'string' },
    created: { type: 'integer' },
    data: {
      type: 'object',
      additionalProperties: false,
      required: ['object'],
      properties: { object: { type: 'object' }, previous_attributes: { type: 'object' } },
    },
    livemode: { type: 'boolean' },
    pending_webhooks: { type: 'integer' },
    request: {
      type: ['object', 'null'],
      additionalProperties: false,
      required: ['id', 'idempotency_key'],
      properties: { id: { type: ['string', 'null'] }, idempotency_key: { type: ['string', 'null'] } },
    },
    type: { type: 'string' },
  },
};

/** TypeScript 5, from the package that `npm exec --package` has fetched. @returns {any} */
function loadTypeScript() {
  const binaries = (process.env.PATH ?? '').split(path.delimiter).filter((entry) => entry.endsWith('.bin'));
  for (const binary of binaries) {
    const manifest = path.join(path.dirname(binary), 'typescript', 'package.json');
    if (!existsSync(manifest) || !JSON.parse(readFileSync(manifest, 'utf8')).version.startsWith('5.')) continue;
    return createRequire(manifest)('./lib/typescript.js');
  }
  throw new Error('Run it as the first lines of this file say: it needs TypeScript 5.');
}

const ts = loadTypeScript();

/** @param {string} source */
function compile(source) {
  const directory = mkdtempSync('.stripe-schema-');
  const file = path.resolve(directory, 'roots.ts');
  try {
    writeFileSync(file, source);
    const program = ts.createProgram([file], {
      strict: true,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      skipLibCheck: true,
      noEmit: true,
    });
    return { checker: program.getTypeChecker(), sourceFile: program.getSourceFile(file) };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const names = Object.keys(ROOTS);
const types = Object.values(ROOTS);
const { checker, sourceFile } = compile(
  `import type Stripe from 'stripe';\n${types.map((type, index) => `export declare const r${index}: ${type};`).join('\n')}
  export type EnabledEvent = Stripe.WebhookEndpointCreateParams.EnabledEvent;`,
);

/** @type {Record<string, any>} */
const definitions = {};
const nameByType = new Map();
const rootByType = new Map();

/** What an endpoint can subscribe to: every event of the API version, and `*`. @type {string[]} */
let enabledEvents = [];

for (const statement of sourceFile.statements) {
  if (ts.isTypeAliasDeclaration(statement)) {
    const { types: literals } = checker.getTypeAtLocation(statement.name);
    enabledEvents = literals.flatMap((/** @type {any} */ type) => (type.isStringLiteral() ? [type.value] : [])).sort();
  }
  if (!ts.isVariableStatement(statement)) continue;
  const { name } = statement.declarationList.declarations[0];
  rootByType.set(checker.getTypeAtLocation(name), names[Number(name.text.slice(1))]);
}

/** Cards and bank debits are the only kinds of payment here. @returns {Set<string>} */
function otherPaymentMethodsOf() {
  const [method] = [...rootByType].find(([, name]) => name === 'payment_method') ?? [];
  const kinds = checker.getTypeOfSymbol(method.getProperty('type')).types;
  const values = kinds.flatMap((/** @type {any} */ kind) => (kind.isStringLiteral() ? [kind.value] : []));
  return new Set(values.filter((/** @type {string} */ value) => !['card', 'us_bank_account'].includes(value)));
}

const otherPaymentMethods = otherPaymentMethodsOf();

const isFlag = (/** @type {any} */ type, /** @type {number} */ flag) => Boolean(type.flags & flag);
/** The SDK joins known literals with "any other string": `OtherString`. */
const isOtherString = (/** @type {any} */ type) =>
  type.isIntersection() && type.types.some((/** @type {any} */ part) => isFlag(part, ts.TypeFlags.String));

/** @param {any} type @returns {any} */
function schemaOf(type) {
  const { TypeFlags } = ts;
  if (isFlag(type, TypeFlags.Any | TypeFlags.Unknown)) return {};
  if (type.isUnion()) return unionSchema(type.types);
  if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
  if (isFlag(type, TypeFlags.BooleanLiteral)) return { const: checker.typeToString(type) === 'true' };
  if (isFlag(type, TypeFlags.Null)) return { type: 'null' };
  if (isFlag(type, TypeFlags.Boolean)) return { type: 'boolean' };
  if (isFlag(type, TypeFlags.Number)) return { type: 'integer' }; // amounts, counters, timestamps; see `field`
  if (isFlag(type, TypeFlags.String | TypeFlags.BigIntLike) || isOtherString(type)) return { type: 'string' };
  if (/^Decimal/.test(checker.typeToString(type))) return { type: 'string' }; // text on the wire
  if (checker.isArrayType(type)) return { type: 'array', items: schemaOf(checker.getTypeArguments(type)[0]) };
  if ((type.aliasSymbol ?? type.symbol)?.name === 'ApiList') return listSchema(type);
  const index = type.getStringIndexType?.();
  return index ? { type: 'object', additionalProperties: schemaOf(index) } : reference(type);
}

/** @param {any} type */
function listSchema(type) {
  const [item] = type.aliasTypeArguments ?? checker.getTypeArguments(type);
  return {
    type: 'object',
    additionalProperties: false,
    required: ['object', 'data', 'has_more', 'url'],
    properties: {
      object: { const: 'list' },
      data: { type: 'array', items: schemaOf(item) },
      has_more: { type: 'boolean' },
      url: { type: 'string' },
    },
  };
}

/** @param {any[]} members */
function unionSchema(members) {
  const { TypeFlags } = ts;
  const present = members.filter((member) => !isFlag(member, TypeFlags.Undefined | TypeFlags.Void));
  const isNullable = present.some((member) => isFlag(member, TypeFlags.Null));
  const literals = present.filter((member) => member.isStringLiteral());
  const booleans = present.filter((member) => isFlag(member, TypeFlags.BooleanLiteral));
  const isTaken = (/** @type {any} */ member) =>
    literals.includes(member) ||
    booleans.includes(member) ||
    isFlag(member, TypeFlags.Null) ||
    (literals.length > 0 && isOtherString(member));
  let others = present.filter((member) => !isTaken(member));
  // What can be expanded is an ID, or one of our objects in full; deleted objects are not emitted.
  if (others.some((member) => isFlag(member, TypeFlags.String))) {
    others = others.filter((member) => isFlag(member, TypeFlags.String) || rootByType.has(member));
  }
  const options = [
    ...(literals.length > 0 ? [{ enum: literals.map((literal) => literal.value) }] : []),
    ...(booleans.length === 2 ? [{ type: 'boolean' }] : booleans.map(schemaOf)),
    ...others.map(schemaOf),
    ...(isNullable ? [{ type: 'null' }] : []),
  ];
  return options.length === 1 ? options[0] : { anyOf: options };
}

/** @param {any} type */
function reference(type) {
  const known = nameByType.get(type);
  if (known) return { $ref: `#/definitions/${known}` };
  const name = rootByType.get(type) ?? `t${nameByType.size}`;
  nameByType.set(type, name);
  /** @type {{ type: string, additionalProperties: boolean, required: string[], properties: Record<string, any> }} */
  const definition = { type: 'object', additionalProperties: false, required: [], properties: {} };
  definitions[name] = definition;
  for (const property of checker.getPropertiesOfType(type)) {
    const isOptional = isFlag(property, ts.SymbolFlags.Optional);
    const isLeftOut = NEVER_EMITTED.has(property.name) && `${name}.${property.name}` !== EMITTED;
    const isEmitted = !isLeftOut && !(isOptional && otherPaymentMethods.has(property.name));
    if (property.name === 'deleted' || property.name.startsWith('__') || (isOptional && !isEmitted)) continue;
    definition.properties[property.name] = isEmitted
      ? field(property.name, schemaOf(checker.getTypeOfSymbol(property)))
      : { type: 'null' };
    if (!isOptional) definition.required.push(property.name);
  }
  return { $ref: `#/definitions/${name}` };
}

/** Percentages are the only numbers that need not be whole. @param {string} name @param {any} schema */
function field(name, schema) {
  return /percent/.test(name) ? JSON.parse(JSON.stringify(schema).replaceAll('"integer"', '"number"')) : schema;
}

/** Many of the SDK's types are alike: one definition serves them all. */
function mergeAlike() {
  for (;;) {
    const firstByShape = new Map();
    /** @type {Map<string, string>} */
    const merged = new Map();
    for (const [name, definition] of Object.entries(definitions)) {
      const shape = JSON.stringify(definition);
      const first = firstByShape.get(shape);
      if (first && !(name in ROOTS)) merged.set(name, first);
      else firstByShape.set(shape, name);
    }
    if (merged.size === 0) return;
    for (const name of merged.keys()) delete definitions[name];
    for (const [name, definition] of Object.entries(definitions)) {
      const text = JSON.stringify(definition).replace(
        /"#\/definitions\/([^"]+)"/g,
        (_, target) => `"#/definitions/${merged.get(target) ?? target}"`,
      );
      definitions[name] = JSON.parse(text);
    }
  }
}

for (const type of rootByType.keys()) reference(type);
definitions.event = EVENT;
mergeAlike();

const { version } = JSON.parse(readFileSync('node_modules/stripe/package.json', 'utf8'));
const apiVersion = readFileSync('node_modules/stripe/esm/apiVersion.js', 'utf8').match(/ApiVersion = '([^']+)'/)?.[1];
const schema = { $comment: `stripe@${version}, API ${apiVersion}; emulators/stripe/schema/generate.mjs`, definitions };
writeFileSync(OUTPUT, `${JSON.stringify(schema)}\n`);
writeFileSync(EVENTS_OUTPUT, `${JSON.stringify(enabledEvents)}\n`);
console.log(`${OUTPUT}: ${Object.keys(definitions).length} definitions at API ${apiVersion}`);
