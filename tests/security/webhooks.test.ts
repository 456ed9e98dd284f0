import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { call, click, signStripe } from '../support/calls';
import { signClerk } from '../support/sign-clerk';
import { type SuiteApp, startSuiteApp } from './suite-app';

let app: SuiteApp;
beforeAll(async () => {
  app = await startSuiteApp();
});
afterAll(() => app?.end());

const MUTATIONS = Number(process.env.WEBHOOK_MUTATIONS ?? 1000);
const unixNow = () => Math.floor(Date.now() / 1000);

type Signed = { body: string; headers: Record<string, string> };
type Endpoint = {
  name: string;
  path: string;
  sign: (body: string, seconds: number) => Record<string, string>;
  body: () => string;
  signature: string;
};

const stripeBody = () =>
  JSON.stringify({
    id: `evt_${randomUUID()}`,
    object: 'event',
    type: 'product.created',
    created: unixNow(),
    livemode: false,
    data: { object: { id: 'prod_1' } },
  });
const secret = (name: string) => process.env[name] ?? '';

const ENDPOINTS: Endpoint[] = [
  {
    name: 'Clerk',
    path: '/api/webhooks/clerk',
    body: () =>
      JSON.stringify({
        type: 'user.created',
        data: { id: `user_${randomUUID()}`, unsafe_metadata: {}, email_addresses: [] },
      }),
    sign: (body, seconds) => signClerk(body, { at: new Date(seconds * 1000) }),
    signature: 'svix-signature',
  },
  {
    name: 'Stripe, the shop',
    path: '/api/webhooks/stripe',
    body: stripeBody,
    sign: (body, seconds) => signStripe(body, secret('STRIPE_WEBHOOK_SECRET'), seconds),
    signature: 'stripe-signature',
  },
  {
    name: 'Stripe, the service',
    path: '/api/v1/webhooks/stripe',
    body: stripeBody,
    sign: (body, seconds) => signStripe(body, secret('SVC_STRIPE_WEBHOOK_SECRET'), seconds),
    signature: 'stripe-signature',
  },
];

/** One change of a genuine webhook: of a byte of the body, of a header, or of which parts belong together. */
const mutation = fc.record({ kind: fc.integer({ min: 0, max: 5 }), at: fc.nat(), bit: fc.integer({ min: 0, max: 6 }) });

function mutate(
  { body, headers }: Signed,
  signature: string,
  { kind, at, bit }: { kind: number; at: number; bit: number },
): Signed {
  const flip = (text: string) => {
    const index = at % text.length;
    const code = text.charCodeAt(index) ^ (1 << bit);
    // Header values hold printable characters only; another one there is as good.
    return (
      text.slice(0, index) +
      (code < 33 || code > 126 ? (text[index] === '0' ? '1' : '0') : String.fromCharCode(code)) +
      text.slice(index + 1)
    );
  };
  const digest = headers[signature] ?? '';
  switch (kind) {
    case 0:
      return { body: flip(body), headers };
    case 1:
      return { body: body.slice(0, at % body.length), headers };
    case 2:
      return { body: `${body}${' '.repeat(1 + (at % 3))}`, headers };
    case 3: {
      // Within the digest itself: a change of the scheme's name, as `v1` to `v2`, is one of `kind` 4.
      const start = digest.indexOf('v1') + 3;
      return {
        body,
        headers: { ...headers, [signature]: digest.slice(0, start) + flipDigit(digest.slice(start), at) },
      };
    }
    case 4:
      return { body, headers: { ...headers, [signature]: digest.slice(0, at % digest.length) } };
    default: {
      const names = Object.keys(headers).filter((name) => name !== 'content-type');
      const { [names[at % names.length] ?? '']: _, ...rest } = headers;
      return { body, headers: rest };
    }
  }
}

/** Another digit, and not one of the last two of base64, of which a decoder may ignore some bits. */
function flipDigit(digest: string, at: number): string {
  const index = at % Math.max(1, digest.length - 3);
  return `${digest.slice(0, index)}${digest[index] === 'a' ? 'b' : 'a'}${digest.slice(index + 1)}`;
}

const deliver = (path: string, { body, headers }: Signed) => call(app.url + path, { method: 'POST', body, headers });

describe.each(ENDPOINTS)('webhooks of $name', ({ path, sign, body: makeBody, signature }) => {
  const genuine = (seconds = unixNow()): Signed => {
    const body = makeBody();
    return { body, headers: sign(body, seconds) };
  };

  test('a genuine one is accepted', async () => {
    expect((await deliver(path, genuine())).status).toBe(200);
  });

  test('one that is too old is refused', async () => {
    for (const seconds of [unixNow() - 301, unixNow() - 86_400]) {
      expect((await deliver(path, genuine(seconds))).status).toBe(400);
    }
  });

  test('the signature of one is no signature of another', async () => {
    const [one, other] = [genuine(), genuine()];
    expect((await deliver(path, { body: other.body, headers: one.headers })).status).toBe(400);
  });

  test('a secret of another endpoint signs nothing here', async () => {
    for (const other of ENDPOINTS.filter((endpoint) => endpoint.path !== path)) {
      const body = makeBody();
      expect((await deliver(path, { body, headers: other.sign(body, unixNow()) })).status).toBe(400);
    }
  });

  test(`none of ${MUTATIONS} mutations of a genuine one is accepted`, async () => {
    const mutations = fc.sample(mutation, MUTATIONS);
    const accepted: string[] = [];
    const worker = async () => {
      for (let next = mutations.pop(); next; next = mutations.pop()) {
        const mutated = mutate(genuine(), signature, next);
        const { status } = await deliver(path, mutated);
        if (status !== 400) accepted.push(`${status} ${JSON.stringify({ next, mutated })}`);
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    expect(accepted.slice(0, 3)).toEqual([]);
  });
});

// Stripe's own verification accepts a timestamp in the future; Clerk's does not.
test('a webhook of Clerk from the future is refused', async () => {
  const body = JSON.stringify({ type: 'user.deleted', data: { id: `user_${randomUUID()}` } });
  for (const seconds of [unixNow() + 360, unixNow() + 86_400]) {
    const headers = signClerk(body, { at: new Date(seconds * 1000) });
    expect((await deliver('/api/webhooks/clerk', { body, headers })).status).toBe(400);
  }
});

test('a webhook that is replayed within its five minutes is one lead', async () => {
  const clickId = (await click(app.url)).body.click_id;
  const id = `user_${randomUUID()}`;
  const body = JSON.stringify({
    type: 'user.created',
    data: { id, unsafe_metadata: { svc_click_id: clickId }, email_addresses: [] },
  });
  const headers = signClerk(body);
  for (let replay = 0; replay < 5; replay++) {
    expect((await deliver('/api/webhooks/clerk', { body, headers })).status).toBe(200);
  }
  const leads = () => app.query('SELECT count(*)::int AS leads FROM service_events WHERE customer_key = $1', [id]);
  // The embedded service is asked over HTTP at APP_URL, which is this app. A report that it did not take in time is sent again.
  await vi.waitUntil(async () => JSON.stringify(await leads()) !== JSON.stringify([{ leads: 0 }]), { timeout: 30_000 });
  expect(await leads()).toEqual([{ leads: 1 }]);
});
