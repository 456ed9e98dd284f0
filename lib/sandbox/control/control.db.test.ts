import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { eventsAbout, subscribe } from '@/tests/support/sandbox-checkout';
import { newEmail, sandboxClient, setSandboxEnvironment } from '@/tests/support/sandbox-stripe';
import { listDeliveries } from '../deliveries/delivery-queries';
import { readSetting } from '../settings/settings';
import { controlClock } from './control-clock';
import { controlDeliveries, controlRedelivery, showDeliveries } from './control-deliveries';
import { refundPayment } from './refund-payment';

beforeAll(setSandboxEnvironment);

const post = (body: unknown) =>
  new Request('http://localhost/', { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });

describe('the control routes', () => {
  test('advance one customer by e-mail address, or to what happens next', async () => {
    const { email, subscription } = await subscribe();
    const later = await controlClock(post({ advance_seconds: 60, customer: email }));
    expect(await later.json()).toMatchObject({ happened: 0 });
    const next = await controlClock(post({ advance_to: 'next', customer: email }));
    expect(await next.json()).toMatchObject({ happened: 1 });
    expect((await eventsAbout(subscription)).map(({ type }) => type)).toContain('customer.subscription.updated');
  });

  test('show deliveries and send one again', async () => {
    const { email } = await subscribe();
    const url = `http://localhost/?customer=${encodeURIComponent(email)}&limit=5`;
    const { data } = (await (await showDeliveries(new Request(url))).json()) as { data: { id: string }[] };
    expect(data).toHaveLength(5);
    expect((await controlRedelivery(data[0]?.id ?? '')).status).toBe(200);
    expect((await controlRedelivery('dlv_none')).status).toBe(404);
  });

  test('set the mode, the delay and the fault for one customer alone', async () => {
    const email = newEmail();
    const change = { mode: 'shuffled', delay_seconds: 5, drop_subscription_metadata: true, customer: email };
    expect((await controlDeliveries(post(change))).status).toBe(200);
    expect(await readSetting('deliveries.mode', email)).toBe('shuffled');
    expect(await readSetting('deliveries.mode', newEmail())).toBeNull();
  });

  test.each([
    ['not JSON', '{'],
    ['a negative time', { advance_seconds: -1 }],
    ['no time', {}],
    ['text for a number', { advance_seconds: '60' }],
  ])('answer 400 to %s', async (_name, body) => {
    const response = await controlClock(post(body));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'invalid_body' });
  });

  test('answer 404 for a customer that is not there', async () => {
    expect((await controlClock(post({ advance_seconds: 1, customer: newEmail() }))).status).toBe(404);
    expect((await controlClock(post({ advance_to: 'next', customer: newEmail() }))).status).toBe(404);
  });
});

describe('the fault "subscription metadata left out"', () => {
  test('takes the metadata from the subscription and leaves the session its own', async () => {
    const email = newEmail();
    await controlDeliveries(post({ drop_subscription_metadata: true, customer: email }));
    const { subscription } = await subscribe({ email });
    expect(await sandboxClient().subscriptions.retrieve(subscription)).toMatchObject({ metadata: {} });
  });
});

test('a refund in the control room is a refund of Stripe’s, and is delivered', async () => {
  const { customer, email } = await subscribe();
  const charge = (await sandboxClient().charges.list({ customer })).data[0]?.id ?? '';
  await refundPayment(charge, 100);
  expect(await sandboxClient().charges.retrieve(charge)).toMatchObject({ amount_refunded: 100 });
  await refundPayment(charge);
  expect(await sandboxClient().charges.retrieve(charge)).toMatchObject({ refunded: true });
  expect((await listDeliveries({ subject: email })).map(({ event_type: type }) => type)).toContain('charge.refunded');
});

describe('beside real keys', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.resetModules();
  });

  const answersWith = async (env: Record<string, string>) => {
    vi.resetModules();
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const { controlClock: fresh } = await import('./control-clock');
    return (await fresh(post({ advance_seconds: 0 }))).status;
  };
  const realClerk = { CLERK_SECRET_KEY: 'sk_live_real', NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: 'pk_live_real' };

  test.each([
    ['real keys of both', { STRIPE_SECRET_KEY: 'sk_test_real', ...realClerk }],
    ['a real key of Stripe alone', { STRIPE_SECRET_KEY: 'sk_test_real' }],
    ['the sandbox off', { SANDBOX: 'off' }],
    ['production without SANDBOX=on', { NODE_ENV: 'production', SANDBOX: '' }],
  ])('with %s the clock answers 404', async (_name, env) => {
    expect(await answersWith(env)).toBe(404);
  });

  test('with SANDBOX=on it answers in production, too, and beside a real Clerk', async () => {
    expect(await answersWith(realClerk)).toBe(200);
    expect(await answersWith({ NODE_ENV: 'production', SANDBOX: 'on' })).toBe(200);
  });
});
