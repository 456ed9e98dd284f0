import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { isRemote, type TestProgram } from './program';
import { type StripeEvent, signatureOf } from './stripe-events';

// The service as its callers see it: HTTP and nothing else. Every answer of ours is checked against openapi.yaml.

const baseUrl = process.env.CONTRACT_BASE_URL ?? 'http://localhost:3000';

type Json = Record<string, unknown>;
export type ServiceResponse = { status: number; body: Json; headers: Headers };
type ServiceRequest = { method?: string; body?: unknown; headers?: Record<string, string> };

const description = parse(readFileSync('openapi.yaml', 'utf8')) as { paths: Record<string, Record<string, Json>> };
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ $id: 'openapi', ...description });

/** What the contract leaves open and we decided: expected of our service alone. */
export const ours = <T extends object>(expected: T): Partial<T> => (isRemote ? {} : expected);

/** Any status from `first` to the next hundred; from our service `first` itself. */
const statusFrom = (first: number): unknown =>
  isRemote ? expect.toSatisfy((status) => status >= first && status < first + 100) : first;

/** The contract says 2xx. Ours is always 200. */
export const SUCCESS = statusFrom(200);

/** What the contract leaves open for a body that is not accepted. Ours is always 400. */
export const REFUSED = statusFrom(400);

/** §7 leaves open how an authentication failure is answered; the integration treats 401 and 403 as one. */
export const UNAUTHORIZED: unknown = isRemote ? expect.toBeOneOf([401, 403]) : 401;

/** Seconds to wait after a rate-limited response: what its Retry-After says, a minute at most; 10 if it says nothing usable. */
export function secondsToWait(retryAfter: string | null): number {
  const seconds = Number(retryAfter);
  return seconds > 0 ? Math.min(seconds, 60) : 10;
}

/**
 * One request to a path under /api/v1. A body that is no string is sent as JSON. It waits until a remote service that limits
 * the rate accepts it: how many requests a service accepts is its own decision.
 */
export async function request(path: string, init: ServiceRequest = {}): Promise<ServiceResponse> {
  for (;;) {
    const answer = await requestOnce(path, init);
    if (!isRemote || answer.status !== 429) return answer;
    await wait(1000 * secondsToWait(answer.headers.get('retry-after')));
  }
}

async function requestOnce(
  path: string,
  { method = 'POST', body, headers = {} }: ServiceRequest,
): Promise<ServiceResponse> {
  const isStream = body instanceof ReadableStream;
  const response = await fetch(`${baseUrl}/api/v1${path}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && {
      body:
        typeof body === 'string' || body instanceof Uint8Array || isStream ? (body as BodyInit) : JSON.stringify(body),
    }),
    ...(isStream && { duplex: 'half' }),
  });
  const text = await response.text();
  const answer = { status: response.status, body: readBody(text), headers: response.headers };
  if (!isRemote) checkAgainstDescription(path, method, answer);
  return answer;
}

/** The body; {} if there is none. Another service may refuse in any form, such as text: also {}. */
function readBody(text: string): Json {
  if (!isRemote) return text ? (JSON.parse(text) as Json) : {};
  try {
    return Object(JSON.parse(text)) as Json;
  } catch {
    return {};
  }
}

function checkAgainstDescription(path: string, method: string, { status, body }: ServiceResponse): void {
  const template = path.replace(/\?.*/, '').replace(/^\/customers\/[^/]+/, '/customers/{customer_key}');
  const operation = description.paths[template]?.[method.toLowerCase()];
  if (!operation || method === 'OPTIONS') return;
  const pointer = `#/paths/${encodePointer(template)}/${method.toLowerCase()}/responses/${status}`;
  const schema = { $ref: `openapi${pointer}/content/application~1json/schema` };
  if (!(operation.responses as Json)[String(status)])
    throw new Error(`openapi.yaml does not describe ${status} of ${method} ${template}`);
  if (!ajv.validate(schema, body)) {
    throw new Error(`${method} ${template} responded with ${status} ${JSON.stringify(body)}: ${ajv.errorsText()}`);
  }
}

const encodePointer = (path: string) => encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'));

/** The calls of the contract, in the name of one program. */
export function serviceFor(program: TestProgram) {
  const key = { authorization: `Bearer ${program.apiKey}` };
  const testMode = { additional_data: { test_mode: true, program_id: program.programId } };
  // A remote service is only ever written to in its test mode.
  const world = program.isRemote ? testMode : {};
  return {
    key,
    testMode,
    click: (code: string, extra: Json = {}) =>
      request('/track/click', {
        body: {
          affiliate_url: `https://shop.example/?aff=${encodeURIComponent(code)}`,
          program_id: program.programId,
          ...extra,
        },
      }),
    /** A click of ada's that must succeed. */
    async clickId(code = program.partners.ada): Promise<string> {
      const { body } = await this.click(code);
      if (typeof body.click_id !== 'string') throw new Error(`No click: ${JSON.stringify(body)}`);
      return body.click_id;
    },
    /** A lead call of the integrator's server. */
    serverLead: (lead: Json) => request('/track/lead', { headers: key, body: { ...world, ...lead } }),
    /** A lead call of the tracker. */
    browserLead: (lead: Json) => request('/track/lead', { body: { program_id: program.programId, ...lead } }),
    sale: (sale: Json) => request('/track/sale', { headers: key, body: { amount_cents: 1900, ...world, ...sale } }),
    async events(query: Record<string, string> = {}): Promise<Json[]> {
      const { body } = await request(`/events?${new URLSearchParams(query)}`, { method: 'GET', headers: key });
      return body.data as Json[];
    },
  };
}

/** Delivers an event to the service's endpoint, signed as Stripe signs it. */
export function deliver(event: StripeEvent): Promise<ServiceResponse> {
  const body = JSON.stringify(event, null, 2);
  return request('/webhooks/stripe', { body, headers: { 'stripe-signature': signatureOf(body) } });
}
