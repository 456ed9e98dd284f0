import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { Webhook } from 'svix';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { database } from '@/prisma/client';
import { writeSetting } from '../settings/settings';
import { claimDelivery, type DeliveryInput, enqueueDelivery, listDeliveries, redeliver } from './delivery-queries';
import { deliverNow, drainDeliveries } from './drain-deliveries';

type Received = { headers: IncomingHttpHeaders; body: string };

let server: Server;
let url: string;
let received: Received[];
let answers: number[];

beforeEach(async () => {
  received = [];
  answers = [];
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ headers: request.headers, body });
    response.writeHead(answers.shift() ?? 200).end('noted');
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  url = `http://localhost:${(server.address() as AddressInfo).port}/hook`;
});

afterEach(() => new Promise<void>((resolve) => server.close(() => resolve())));

function delivery(over: { subject: string; provider?: 'clerk' | 'stripe'; secret?: string; body?: string }) {
  const base = { provider: 'stripe', url, eventType: 'thing.happened', secret: 'whsec_test', body: '{}' } as const;
  return { ...base, eventId: `evt_${randomUUID()}`, ...over } satisfies DeliveryInput;
}

const newSubject = () => `${randomUUID()}@example.com`;
const bodies = () => received.map(({ body }) => body);
const numbered = Array.from({ length: 12 }, (_, index) => String(index));

async function enqueueNumbered(subject: string): Promise<string[]> {
  const eventIds: string[] = [];
  for (const body of numbered) {
    const input = delivery({ subject, body });
    eventIds.push(input.eventId);
    await enqueueDelivery(input);
  }
  return eventIds;
}

describe('deliveries', () => {
  test("a Stripe event carries a signature that Stripe's SDK accepts", async () => {
    const input = delivery({ subject: newSubject(), body: '{"id":"evt_1","object":"event"}' });
    await enqueueDelivery(input);
    await deliverNow([input.eventId], { timeoutMs: 20_000 });
    const header = received[0]?.headers['stripe-signature'] ?? '';
    const { webhooks } = new Stripe('sk_test_unused');
    expect(webhooks.constructEvent(received[0]?.body ?? '', header, 'whsec_test').id).toBe('evt_1');
    expect(() => webhooks.constructEvent(received[0]?.body ?? '', header, 'whsec_other')).toThrow();
  });

  test("a Clerk event carries a signature that svix accepts, with the event's ID as the message's", async () => {
    const secret = `whsec_${Buffer.from('a secret of enough length').toString('base64')}`;
    const input = delivery({ subject: newSubject(), provider: 'clerk', secret, body: '{"type":"user.created"}' });
    await enqueueDelivery(input);
    await deliverNow([input.eventId], { timeoutMs: 20_000 });
    const headers = received[0]?.headers as Record<string, string>;
    expect(() => new Webhook(secret).verify(received[0]?.body ?? '', headers)).not.toThrow();
    expect(headers['svix-id']).toBe(input.eventId);
  });

  test('an event that the endpoint refuses is attempted again, and each attempt is kept', async () => {
    const subject = newSubject();
    answers = [500];
    const input = delivery({ subject });
    await enqueueDelivery(input);
    await deliverNow([input.eventId], { timeoutMs: 20_000 });
    // The back-off's second passes; whoever drains then, delivers it.
    await vi.waitFor(
      async () => {
        await drainDeliveries();
        expect((await listDeliveries({ subject }))[0]?.status).toBe('delivered');
      },
      { timeout: 20_000, interval: 200 },
    );
    const [listed] = await listDeliveries({ subject });
    expect(listed?.attempts.map(({ answer_status }) => answer_status)).toEqual([500, 200]);
    expect(listed?.attempts[0]).toMatchObject({ answer_body: 'noted', error: null });
    expect(listed?.attempts[0]?.request_headers).toHaveProperty('stripe-signature');
  });

  test('an endpoint that cannot be reached leaves the reason in the record', async () => {
    const subject = newSubject();
    const input = { ...delivery({ subject }), url: 'http://localhost:1/hook' };
    await enqueueDelivery(input);
    await deliverNow([input.eventId], { timeoutMs: 20_000 });
    const [listed] = await listDeliveries({ subject });
    expect(listed?.status).toBe('pending');
    expect(listed?.attempts[0]).toMatchObject({ answer_status: null, error: expect.stringContaining('fetch failed') });
  });

  test('ordered: an endpoint gets the events of a subject one after the other, however many drain at once', async () => {
    const eventIds = await enqueueNumbered(newSubject());
    await Promise.all(Array.from({ length: 3 }, () => deliverNow(eventIds, { timeoutMs: 20_000 })));
    expect(bodies()).toEqual(numbered);
  });

  test('shuffled: every event arrives, in another order', async () => {
    const subject = newSubject();
    await writeSetting('deliveries.mode', 'shuffled', subject);
    await deliverNow(await enqueueNumbered(subject), { timeoutMs: 20_000 });
    expect(bodies().sort()).toEqual([...numbered].sort());
    expect(bodies()).not.toEqual(numbered);
  });

  test('duplicated: every event arrives twice, under one ID', async () => {
    const subject = newSubject();
    await writeSetting('deliveries.mode', 'duplicated', subject);
    const input = delivery({ subject, body: 'twice' });
    await enqueueDelivery(input);
    await deliverNow([input.eventId], { timeoutMs: 20_000 });
    expect(bodies()).toEqual(['twice', 'twice']);
  });

  test('redelivered by hand, an event arrives again', async () => {
    const input = delivery({ subject: newSubject(), body: 'again' });
    const { id } = await enqueueDelivery(input);
    await deliverNow([input.eventId], { timeoutMs: 20_000 });
    expect(await redeliver(id)).toBe(true);
    await deliverNow([input.eventId], { timeoutMs: 20_000 });
    await vi.waitFor(() => expect(bodies()).toEqual(['again', 'again']), { timeout: 10_000 });
    expect(await redeliver('dlv_unknown')).toBe(false);
  });

  test('what is left over from a provider that is real by now is not sent, not even by hand', async () => {
    const subject = newSubject();
    const { id } = await enqueueDelivery(delivery({ subject }));
    vi.stubEnv('STRIPE_SECRET_KEY', 'sk_test_real');
    try {
      expect(await redeliver(id)).toBe(false);
      expect(await claimDelivery([subject])).toBeNull();
    } finally {
      vi.unstubAllEnvs();
    }
    expect(await redeliver(id)).toBe(true);
  });

  test('an event of a change that was rolled back is never sent', async () => {
    const subject = newSubject();
    const change = database().$transaction(async (tx) => {
      await enqueueDelivery(delivery({ subject }), tx);
      throw new Error('rolled back');
    });
    await expect(change).rejects.toThrow('rolled back');
    expect(await listDeliveries({ subject })).toEqual([]);
  });
});
