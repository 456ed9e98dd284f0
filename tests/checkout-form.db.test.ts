// What a signed-in browser adds to the checkout's form: only the plan is read from it.
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { mountCheckoutRoute } from './support/checkout-route';

let userId: string;

vi.mock('@clerk/nextjs/server', () => ({
  auth: async () => ({ userId }),
  currentUser: async () => ({ id: userId, primaryEmailAddress: null, unsafeMetadata: {} }),
}));
vi.mock('next/headers', () => ({ cookies: async () => new Map([['svc_click_id', { value: 'clk_of_the_cookie' }]]) }));

const { choosePlan, sessionsOf } = mountCheckoutRoute();

/** The session that a new user's form opens, with what is the user's own replaced. */
async function openSession(others: Record<string, string>) {
  userId = `user_${randomUUID()}`;
  const location = await choosePlan(others);
  const [session, ...rest] = sessionsOf(userId);
  expect(rest).toEqual([]);
  expect(session?.url).toBe(location);
  const { id, url, customer, ...fields } = JSON.parse(JSON.stringify(session).replaceAll(userId, 'the user'));
  return { customer, fields };
}

test('the session of a form with price, customer, metadata and addresses is the one of a form without them', async () => {
  const plain = await openSession({});
  const others = {
    ...{ price: 'price_2', 'line_items[0][price]': 'price_2', quantity: '0', mode: 'setup', userId: 'user_2' },
    ...{ customer: plain.customer, client_reference_id: 'user_2', customer_email: 'mallory@example.com' },
    ...{ 'metadata[svc_click_id]': 'clk_2', 'metadata[svc_customer_key]': 'user_2', svc_click_id: 'clk_2' },
    ...{ 'subscription_data[metadata][svc_click_id]': 'clk_2', clickId: 'clk_2' },
    ...{ success_url: 'https://evil.example', cancel_url: 'https://evil.example', allow_promotion_codes: 'false' },
  };
  const odd = await openSession(others);
  expect(odd.fields).toEqual(plain.fields);
  expect(odd.customer).not.toBe(plain.customer);
  expect(odd.fields.metadata).toMatchObject({ svc_click_id: 'clk_of_the_cookie', svc_customer_key: 'the user' });
});
