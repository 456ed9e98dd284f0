// The walk that needs no provider and no service of this project: a visitor's click and a signed webhook, with a tracking
// service that keeps the contract and nothing else. `npm run test:real-keys` starts both.
import { randomUUID } from 'node:crypto';
import { signClerk } from '../tests/support/sign-clerk';
import { expect, test } from './fixtures';

type Call = { path: string; body: Record<string, unknown>; hasKey: boolean; status: number };

const serviceUrl = process.env.NEXT_PUBLIC_SVC_BASE_URL ?? '';

test('a click, its cookie, the signed webhook, and the lead at a service that knows the contract only', async ({
  page,
  context,
  request,
}) => {
  const userId = `user_${randomUUID()}`;
  const callsAbout = async (text: string) => {
    const calls = (await (await request.get(`${serviceUrl}/calls`)).json()) as Call[];
    return calls.filter(({ body }) => JSON.stringify(body).includes(text));
  };
  const deliver = async (unsafeMetadata: object, id = userId) => {
    const body = JSON.stringify({
      type: 'user.created',
      object: 'event',
      data: {
        id,
        email_addresses: [{ id: 'idn_1', email_address: 'ada@example.com' }],
        unsafe_metadata: unsafeMetadata,
      },
    });
    return (await request.post('/api/webhooks/clerk', { data: body, headers: signClerk(body) })).status();
  };

  await page.goto('/pricing?aff=ada');
  const readClickId = async () =>
    decodeURIComponent((await context.cookies()).find(({ name }) => name === 'svc_click_id')?.value ?? '');
  await expect.poll(readClickId).toMatch(/^cust_42_\d+$/);
  const clickId = await readClickId();

  expect(await deliver({ svc_click_id: clickId })).toBe(200);
  await expect.poll(async () => (await callsAbout(userId)).length).toBeGreaterThan(0);
  expect(await callsAbout(userId)).toEqual([
    {
      path: '/api/v1/track/lead',
      body: expect.objectContaining({ customer_key: userId, click_id: clickId, email: 'ada@example.com' }),
      hasKey: true,
      status: 201,
    },
  ]);

  // §7: a visitor without a partner is expected, and no reason to fail the webhook.
  const stranger = `user_${randomUUID()}`;
  expect(await deliver({}, stranger)).toBe(200);
  await expect.poll(async () => (await callsAbout(stranger)).map(({ status }) => status)).toEqual([400]);
});
