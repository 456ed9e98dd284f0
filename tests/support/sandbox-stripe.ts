import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { handleStripeRequest } from '@/lib/sandbox/stripe/handle-request';

export const SANDBOX_KEY = 'sk_test_sandbox_for_tests';

/** The environment that the sandbox needs in process. Its events go to a port where nobody listens. */
export function setSandboxEnvironment(): void {
  process.env.APP_URL ??= 'http://localhost:1';
  process.env.STRIPE_SECRET_KEY = SANDBOX_KEY;
  process.env.STRIPE_WEBHOOK_SECRET = 'whsec_shop';
  process.env.SVC_STRIPE_WEBHOOK_SECRET = 'whsec_service';
}

/** What the API answered, word for word, for whoever wants to check it. */
export type Answered = (answer: { path: string; status: number; body: unknown }) => void;

/** The genuine SDK, talking to the sandbox in process. */
export function sandboxClient({ key = SANDBOX_KEY, answered }: { key?: string; answered?: Answered } = {}): Stripe {
  const send = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    const response = await handleStripeRequest(request, pathname);
    answered?.({ path: pathname, status: response.status, body: await response.clone().json() });
    return response;
  };
  const httpClient = Stripe.createFetchHttpClient(send as typeof fetch);
  return new Stripe(key, { httpClient, telemetry: false, maxNetworkRetries: 0 });
}

/** An e-mail address, and with it a world, of the test's own. */
export const newEmail = (): string => `${randomUUID()}@example.com`;
