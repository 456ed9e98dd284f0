// A checkout while an operator impersonates the user, as Clerk's dashboard offers: the operator's cookie is not the user's click.
import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type StripeApi, startStripeApi } from './support/stripe-api';

const APP_URL = 'https://shop.example';

let stripe: StripeApi;
let session: { userId: string; actor?: { sub: string } };
let unsafeMetadata: object;

vi.mock('@clerk/nextjs/server', () => ({
  auth: async () => session,
  currentUser: async () => ({ id: session.userId, primaryEmailAddress: null, unsafeMetadata }),
}));
vi.mock('next/headers', () => ({ cookies: async () => new Map([['svc_click_id', { value: 'clk_of_the_browser' }]]) }));

beforeAll(async () => {
  stripe = await startStripeApi();
  stripe.put('prices', { id: 'price_1', lookup_key: 'studio_monthly', active: true, product: 'prod_1' });
  vi.stubEnv('APP_URL', APP_URL);
  vi.stubEnv('NEXT_PUBLIC_SVC_PROGRAM_ID', '123');
  vi.stubEnv('NEXT_PUBLIC_SVC_BASE_URL', 'https://svc.example.com');
  vi.stubEnv('STRIPE_SECRET_KEY', 'sk_test_impersonation');
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

const actor = { sub: 'user_operator' };
const signedUpWith = { svc_click_id: 'clk_of_the_sign_up' };

test.each([
  ['the user, referred', {}, signedUpWith, 'clk_of_the_browser'],
  ['an operator, for a user who was referred', { actor }, signedUpWith, 'clk_of_the_sign_up'],
  ['an operator, for a user who was not', { actor }, {}, undefined],
])('paid by %s', async (_, impersonation, metadata, clickId) => {
  session = { userId: `user_${randomUUID()}`, ...impersonation };
  unsafeMetadata = metadata;
  const { POST } = await import('@/app/(shop)/api/checkout/route');
  const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };
  await POST(new Request(APP_URL, { method: 'POST', headers, body: 'plan=studio_monthly' }));
  const [opened] = stripe
    .all<Stripe.Checkout.SessionCreateParams>('checkout/sessions')
    .filter(({ client_reference_id: reference }) => reference === session.userId);
  expect(opened?.metadata?.svc_customer_key).toBe(session.userId);
  expect(opened?.metadata?.svc_click_id).toBe(clickId);
});
