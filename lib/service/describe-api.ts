import { z } from 'zod';
import { errorStatuses } from './errors';
import {
  clickResponse,
  erasureResponse,
  errorResponse,
  eventEntry,
  eventsResponse,
  leadResponse,
  saleResponse,
  webhookResponse,
} from './response-schemas';
import { clickBody, customerPath, eventsQuery, leadBody, saleBody } from './schemas';

type Json = Record<string, unknown>;

const COMPONENTS = {
  Click: clickBody,
  Lead: leadBody,
  Sale: saleBody,
  ClickResponse: clickResponse,
  LeadResponse: leadResponse,
  SaleResponse: saleResponse,
  Event: eventEntry,
  EventsResponse: eventsResponse,
  ErasureResponse: erasureResponse,
  WebhookResponse: webhookResponse,
  Error: errorResponse,
} as const satisfies Record<string, z.ZodType>;

type Component = keyof typeof COMPONENTS;

const uri = (component: string) => `#/components/schemas/${component}`;
const options = {
  io: 'input',
  unrepresentable: 'any',
  // The pattern says less than the format, and a generated client that parses the time may check the pattern against its own format.
  override: ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => {
    if (jsonSchema.format) delete jsonSchema.pattern;
  },
} as const;

/** Schemas that refer to each other. */
function componentSchemas(): Json {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(COMPONENTS)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { ...options, uri });
  return Object.fromEntries(Object.entries(schemas).map(([name, { $schema: _, $id: __, ...rest }]) => [name, rest]));
}

const json = (component: Component) => ({ 'application/json': { schema: { $ref: uri(component) } } });
const plainText = (component: Component) => ({ 'text/plain': { schema: { $ref: uri(component) } } });

const STATUS_TEXT = {
  400: 'The request is invalid or a rule rejected it; nothing was recorded.',
  401: 'The API key is missing, unknown, expired, revoked, or for the dashboard only.',
  409: 'The transaction_id was already used.',
  413: 'The body is over 64 KiB, or 512 KiB for payment webhooks.',
  415: 'The Content-Type is not application/json.',
  429: 'Too many requests: wait for Retry-After seconds.',
  500: 'The service failed. Send the request again.',
  503: 'The service is not configured, or its store failed or did not respond in time. Send the request again: a lead or a sale is never recorded twice.',
} as const;

type Status = keyof typeof STATUS_TEXT;

function responses(component: Component, description: string, statuses: Status[]): Json {
  const errors = [...statuses, 500 as const, 503 as const].map((status) => [
    String(status),
    {
      description: STATUS_TEXT[status],
      ...(status === 429 && { headers: { 'Retry-After': { schema: { type: 'integer' }, description: 'Seconds.' } } }),
      content: json('Error'),
    },
  ]);
  return { 200: { description, content: json(component) }, ...Object.fromEntries(errors) };
}

function parameters(schema: z.ZodObject, place: 'query' | 'path'): Json[] {
  return Object.entries(schema.shape).map(([name, field]) => {
    const { $schema: _, description, anyOf, ...whole } = z.toJSONSchema(field as z.ZodType, options);
    const schema = anyOf?.[0] ?? whole; // of an optional one the value alone: no query can carry null, and an empty one is absent
    return { name, in: place, required: place === 'path', ...(description ? { description } : {}), schema };
  });
}

const INGEST: Status[] = [400, 413, 415, 429];
const WITH_KEY = [{ apiKey: [] }];

/** The service's endpoints as OpenAPI 3.1, generated from the schemas that check the requests. */
export function describeApi(): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Partner attribution tracking',
      version: '1.0.0',
      description:
        'Attributes sign-ups (leads) and sales to partners\' referral links. Fields that are null, "" or absent mean the ' +
        'same; unknown fields are ignored. Within v1, fields, error codes, kinds, reasons and outcomes may be added: ignore those that ' +
        'you do not know. Every response to a method that is listed here has an `x-request-id`: that of the request if it is 8 to 128 ' +
        'letters, digits or `_.:-`, otherwise a new one. Error codes: ' +
        `${errorStatuses()
          .map(({ code, status }) => `${code} (${status})`)
          .join(', ')}.`,
    },
    servers: [{ url: '/api/v1' }],
    paths: {
      '/track/click': {
        post: {
          operationId: 'trackClick',
          summary: 'Record a click of a visitor who arrived with `aff`.',
          description:
            'From the browser, without a key: an Authorization header is ignored. JSON as text/plain is read too, so that no ' +
            'preflight is needed.',
          security: [],
          requestBody: { required: true, content: { ...json('Click'), ...plainText('Click') } },
          responses: responses('ClickResponse', 'The click, or `success: false` for an inactive link.', INGEST),
        },
      },
      '/track/lead': {
        post: {
          operationId: 'trackLead',
          summary: 'Record a lead linked to a click.',
          description:
            "With the API key, the lead is settled. Without it, it is a browser lead, handled by the program's policy; only then " +
            'is JSON as text/plain read.',
          security: [...WITH_KEY, {}],
          requestBody: { required: true, content: { ...json('Lead'), ...plainText('Lead') } },
          responses: responses('LeadResponse', 'Settled, or provisional only.', [...INGEST, 401]),
        },
      },
      '/track/sale': {
        post: {
          operationId: 'trackSale',
          summary: 'Record a finalized sale of a known customer.',
          security: WITH_KEY,
          requestBody: { required: true, content: json('Sale') },
          responses: responses('SaleResponse', 'The sale is recorded.', [...INGEST, 401, 409]),
        },
      },
      '/events': {
        get: {
          operationId: 'listEvents',
          summary: "List the program's tracking events, newest first.",
          description:
            "A payment's entries can be replaced or removed as its events arrive. A dispute has one entry: a new one, with a new " +
            'ID, replaces it whenever the state of the dispute changes. The entry of a payment that was not attributed is ' +
            'replaced in the same way, and removed once the payment is a sale. Entries are committed a moment after their ' +
            '`created_at`: to follow the list, read until entries are a minute older than your last read, and skip the IDs you ' +
            'have. The entries of a sale and of its refunds are corrected in place while events of the payment arrive, and removed ' +
            'if two sales turn out to be one payment or if credit paid all of it. This usually takes seconds, and up to three days ' +
            'after an outage; a resent event or a dispute that is won, or lost again, on appeal changes older ones. Before you pay ' +
            'partners, read them again and replace the entries by ID.',
          security: WITH_KEY,
          parameters: parameters(eventsQuery, 'query'),
          responses: responses('EventsResponse', 'A page of events.', [400, 401, 429]),
        },
      },
      '/customers/{customer_key}/email': {
        delete: {
          operationId: 'eraseEmail',
          summary: "Remove a customer's email and the URLs of the clicks behind the lead (our extension).",
          security: WITH_KEY,
          parameters: parameters(customerPath, 'path'),
          responses: responses('ErasureResponse', 'How many leads had an email.', [400, 401, 429]),
        },
      },
      '/webhooks/stripe': {
        post: {
          operationId: 'receivePaymentEvent',
          summary: 'Receive an event of the connected payment account.',
          security: [],
          parameters: [{ name: 'Stripe-Signature', in: 'header', required: true, schema: { type: 'string' } }],
          requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
          responses: responses('WebhookResponse', 'Everything in the event is recorded.', [400, 413]),
        },
      },
    },
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'The program API key, `svc_sk_…`.' } },
      schemas: componentSchemas(),
    },
  };
}
