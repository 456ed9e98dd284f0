import type Stripe from 'stripe';
import { afterAll, beforeAll, vi } from 'vitest';
import { type StripeApi, startStripeApi } from './stripe-api';

const APP_URL = 'https://shop.example';

/**
 * The shop's checkout route, with a Stripe of its own. Clerk and `next/headers` are those that the file mocks; the mocks end
 * with it.
 */
export function mountCheckoutRoute() {
  let stripe: StripeApi;

  beforeAll(async () => {
    stripe = await startStripeApi();
    stripe.put('prices', { id: 'price_1', lookup_key: 'studio_monthly', active: true, product: 'prod_1' });
    vi.stubEnv('APP_URL', APP_URL);
    vi.stubEnv('NEXT_PUBLIC_SVC_PROGRAM_ID', '123');
    vi.stubEnv('NEXT_PUBLIC_SVC_BASE_URL', 'https://svc.example.com');
    vi.stubEnv('STRIPE_SECRET_KEY', 'sk_test_checkout_route');
    vi.stubEnv('STRIPE_API_URL', stripe.url);
    vi.resetModules();
  });
  afterAll(async () => {
    vi.doUnmock('@clerk/nextjs/server');
    vi.doUnmock('next/headers');
    vi.unstubAllEnvs();
    vi.resetModules();
    await stripe.stop();
  });

  return {
    /** Chooses a plan in a form with these other fields. @returns where the response leads */
    async choosePlan(others: Record<string, string> = {}): Promise<string | null> {
      const { POST } = await import('@/app/(shop)/api/checkout/route');
      const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };
      const body = String(new URLSearchParams({ plan: 'studio_monthly', ...others }));
      const response = await POST(new Request(APP_URL, { method: 'POST', headers, body }));
      return response.headers.get('location');
    },
    /** The sessions that a user has opened, as Stripe has them. */
    sessionsOf: (user: string) =>
      stripe
        .all<Stripe.Checkout.SessionCreateParams & { url: string }>('checkout/sessions')
        .filter(({ client_reference_id: reference }) => reference === user),
  };
}
