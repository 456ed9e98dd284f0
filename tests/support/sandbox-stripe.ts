import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { handleStripeRequest } from '@/lib/sandbox/stripe/handle-request';
import { schemaProblems } from '../stripe-schema/stripe-schema';

export const SANDBOX_KEY = 'sk_test_sandbox_for_tests';

/** The environment that the sandbox needs in process. Its events go to a port where nobody listens. */
export function setSandboxEnvironment(): void {
  process.env.APP_URL ??= 'http://localhost:1';
  process.env.STRIPE_SECRET_KEY = SANDBOX_KEY;
  process.env.STRIPE_WEBHOOK_SECRET = 'whsec_shop';
  process.env.SVC_STRIPE_WEBHOOK_SECRET = 'whsec_service';
}

async function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const { pathname } = new URL(request.url);
  const response = await handleStripeRequest(request, pathname);
  const body = (await response.clone().json()) as { deleted?: true };
  const problems = response.ok && !body.deleted ? schemaProblems(body) : [];
  if (problems.length > 0) throw new SchemaMismatch(`${request.method} ${pathname}\n${problems.join('\n')}`);
  return response;
}

/** An answer of the sandbox that the SDK's own types would not allow. */
export class SchemaMismatch extends Error {}

/**
 * The genuine SDK, talking to the sandbox in process. Every answer is checked against the schemas made from the SDK's
 * types, so that each test is a test of the answers' form, too.
 */
export function sandboxClient(key = SANDBOX_KEY): Stripe {
  const httpClient = Stripe.createFetchHttpClient(send as typeof fetch);
  return new Stripe(key, { httpClient, telemetry: false, maxNetworkRetries: 0 });
}

/** An e-mail address, and with it a world, of the test's own. */
export const newEmail = (): string => `${randomUUID()}@example.com`;
