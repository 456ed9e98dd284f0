import type { UserJSON, WebhookEvent } from '@clerk/nextjs/server';
import { verifyWebhook } from '@clerk/nextjs/webhooks';
import { NextRequest } from 'next/server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { clerkUser, userCreated, userDeleted } from '@/tests/support/clerk-user';
import { signClerk } from '@/tests/support/sign-clerk';
import { occurredAt, reportOf, verifyClerkWebhook } from './webhook';

const secretOf = (text: string) => `whsec_${Buffer.from(text.padEnd(24, '.')).toString('base64')}`;
const current = secretOf('current');
const previous = secretOf('previous');
const body = JSON.stringify({ type: 'user.created', data: { id: 'user_1' } });

const signed = (secret: string, { at = new Date() } = {}) => new Headers(signClerk(body, { secret, id: 'msg_1', at }));

describe('§4, step 2: the three signature headers are verified against the shared secret', () => {
  test('a genuine webhook yields the event and its message ID', () => {
    expect(verifyClerkWebhook(body, signed(current), [current])).toEqual({
      messageId: 'msg_1',
      event: JSON.parse(body),
    });
  });

  test('while you rotate the secret, the previous one is accepted too', () => {
    expect(verifyClerkWebhook(body, signed(previous), [current, previous])).not.toBeNull();
    expect(verifyClerkWebhook(body, signed(previous), [current])).toBeNull();
  });

  test('the secret of another endpoint is refused', () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    expect(verifyClerkWebhook(body, signed(secretOf('another endpoint')), [current, previous])).toBeNull();
    expect(warn.mock.calls).toEqual([['webhook: a signature was refused endpoint="clerk"']]);
    warn.mockRestore();
  });

  test('an altered body is refused', () => {
    expect(verifyClerkWebhook(body.replace('user_1', 'user_2'), signed(current), [current])).toBeNull();
  });

  test('a body that was parsed and written again is refused', () => {
    const spaced = JSON.stringify(JSON.parse(body), null, 2);
    expect(verifyClerkWebhook(spaced, signed(current), [current])).toBeNull();
  });

  test('a webhook older than five minutes, or from the future, is refused', () => {
    const minutes = (count: number) => new Date(Date.now() + count * 60_000);
    expect(verifyClerkWebhook(body, signed(current, { at: minutes(-6) }), [current])).toBeNull();
    expect(verifyClerkWebhook(body, signed(current, { at: minutes(6) }), [current])).toBeNull();
  });

  test('a replay under another message ID is refused', () => {
    const headers = signed(current);
    headers.set('svix-id', 'msg_2');
    expect(verifyClerkWebhook(body, headers, [current])).toBeNull();
  });

  test.each(['svix-id', 'svix-timestamp', 'svix-signature'])('without %s it is refused', (name) => {
    const headers = signed(current);
    headers.delete(name);
    expect(verifyClerkWebhook(body, headers, [current])).toBeNull();
  });

  test('none of 1,000 forged ones is accepted', () => {
    const genuine = signed(current).get('svix-signature') ?? '';
    for (let index = 0; index < 1000; index += 1) {
      const headers = signed(current);
      const position = 3 + (index % (genuine.length - 4));
      const letter = genuine[position] === 'A' ? 'B' : 'A';
      headers.set('svix-signature', genuine.slice(0, position) + letter + genuine.slice(position + 1));
      const text = index % 2 === 0 ? body : body.replace('user_1', `user_${index}x`);
      expect(verifyClerkWebhook(text, headers, [current])).toBeNull();
    }
  });
});

describe('§5: the signing secrets come from the environment', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  async function verifyWith(secrets: Record<string, string>, signedWith: string) {
    vi.stubEnv('NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY', `pk_test_${btoa('clerk.example.com$')}`);
    vi.stubEnv('CLERK_SECRET_KEY', 'sk_test_webhook');
    for (const [name, value] of Object.entries(secrets)) vi.stubEnv(name, value);
    vi.resetModules();
    const { verifyClerkWebhook: verify } = await import('./webhook');
    return verify(body, signed(signedWith));
  }

  test('the current one', async () => {
    const env = { CLERK_WEBHOOK_SIGNING_SECRET: current, CLERK_WEBHOOK_SIGNING_SECRET_PREVIOUS: '' };
    expect(await verifyWith(env, current)).not.toBeNull();
    expect(await verifyWith(env, previous)).toBeNull();
  });

  test('and, during a rotation, the previous one', async () => {
    const env = { CLERK_WEBHOOK_SIGNING_SECRET: current, CLERK_WEBHOOK_SIGNING_SECRET_PREVIOUS: previous };
    expect(await verifyWith(env, current)).not.toBeNull();
    expect(await verifyWith(env, previous)).not.toBeNull();
  });
});

const clickId = 'cust_42_1714000000000';
const lead = { kind: 'lead', customerExternalId: 'user_1' };

describe('§4 identity-provider signup path: the handler reads the event', () => {
  test('customerExternalId is the provider’s user ID, with the click and the first email address', () => {
    const emails = ['first@example.com', 'second@example.com'];
    const event = userCreated(clerkUser({ id: 'user_1', unsafeMetadata: { svc_click_id: clickId }, emails }));
    expect(reportOf(event)).toEqual({ ...lead, clickId, email: 'first@example.com' });
  });

  test('a user without an email address is a lead all the same', () => {
    const event = userCreated(clerkUser({ id: 'user_1', unsafeMetadata: { svc_click_id: clickId } }));
    expect(reportOf(event)).toEqual({ ...lead, clickId });
  });

  test.each([
    ['no email addresses', {}],
    ['null for them', { email_addresses: null }],
    ['a number for the first one', { email_addresses: [{ email_address: 5 }] }],
    ['no unsafe_metadata', { unsafe_metadata: undefined, email_addresses: [] }],
  ])('an event written by hand with %s is a lead all the same', (_, fields) => {
    const data = { id: 'user_1', unsafe_metadata: { svc_click_id: clickId }, ...fields };
    const report = reportOf({ type: 'user.created', object: 'event', data } as unknown as WebhookEvent);
    expect(report).toEqual(data.unsafe_metadata ? { ...lead, clickId } : lead);
  });

  test('only an event without any unsafe_metadata is logged: an empty one is of a visitor who was not referred', () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const user = clerkUser({ id: 'user_1' });
    expect(reportOf(userCreated(user))).toEqual(lead);
    expect(warn.mock.calls).toEqual([]);
    const { unsafe_metadata: _, ...rest } = user;
    expect(reportOf(userCreated(rest as UserJSON))).toEqual(lead);
    expect(warn.mock.calls).toEqual([['webhook: a new user has no unsafe_metadata customer="user_1"']]);
  });

  test('a created user without an ID is nothing to report', () => {
    expect(reportOf({ type: 'user.created', object: 'event', data: {} } as unknown as WebhookEvent)).toBeNull();
  });

  test('a visitor who was not referred is reported without a click', () => {
    expect(reportOf(userCreated(clerkUser({ id: 'user_1', unsafeMetadata: { svc_click_id: null } })))).toEqual(lead);
  });

  test.each([
    ['null', null],
    ['an array', ['clk']],
    ['a megabyte', { svc_click_id: 'x'.repeat(1_000_000) }],
    ['an object that names a prototype', JSON.parse('{"__proto__":{"svc_click_id":"clk_aaaaaaaaaaaaaaaaaaaaaa"}}')],
  ])('unsafe_metadata that is %s never refuses the event', (_, unsafeMetadata) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    expect(reportOf(userCreated(clerkUser({ id: 'user_1', unsafeMetadata })))).toEqual(lead);
    warn.mockRestore();
  });

  test('a deleted user is to be forgotten', () => {
    expect(reportOf(userDeleted('user_1'))).toEqual({ kind: 'erasure', customerExternalId: 'user_1' });
  });

  test('a deletion without an ID is nothing to report', () => {
    expect(reportOf(userDeleted(''))).toBeNull();
  });

  test.each(['session.created', 'user.updated', 'organization.created'])('%s is nothing to report', (type) => {
    expect(reportOf({ type, object: 'event', data: { id: 'user_1' } } as WebhookEvent)).toBeNull();
  });
});

describe('a lead says when its event happened', () => {
  const created = userCreated(clerkUser({ id: 'user_1', createdAt: 1_000 }));
  const occurredAtOf = (fields: object) => occurredAt({ ...created, ...fields } as WebhookEvent)?.getTime();

  test('which is not when the user was created: an import keeps the dates of another system', () => {
    expect(occurredAtOf({ timestamp: 2_000 })).toBe(2_000);
  });

  test.each([undefined, null, 1.5, '1'])('with %j for it, when the user was created, or nothing', (time) => {
    expect(occurredAtOf({ timestamp: time })).toBe(1_000);
    expect(occurredAtOf({ timestamp: time, data: { ...created.data, created_at: time } })).toBeUndefined();
  });

  test("Clerk's own verifyWebhook drops that time: the user's creation time is used instead", async () => {
    const text = JSON.stringify({ ...created, timestamp: 2_000 });
    const headers = new Headers(signClerk(text, { secret: current, id: 'msg_1', at: new Date() }));
    const request = new NextRequest('https://app.example.com/api/webhooks/clerk', {
      method: 'POST',
      headers,
      body: text,
    });
    expect(occurredAt(await verifyWebhook(request, { signingSecret: current }))?.getTime()).toBe(1_000);
    expect(verifyClerkWebhook(text, headers, [current])?.event).toHaveProperty('timestamp', 2_000);
  });

  test('other events do not', () => {
    expect(occurredAtOf({ ...userDeleted('user_1'), timestamp: 2_000 })).toBeUndefined();
  });
});
