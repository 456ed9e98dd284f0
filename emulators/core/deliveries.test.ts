import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Database } from './database';
import { cancelDeliveries, Deliveries, decideNextAttempt, enqueueDeliveries, type NewDelivery } from './deliveries';
import { writeFault } from './faults';
import { createId } from './ids';
import { giveBackDatabase, takeDatabase } from './testing/spare-database';

const SECRET = `whsec_${Buffer.from('a secret of the test').toString('base64')}`;

let database: Database;
let deliveries: Deliveries;
let endpoint: Server;
let url: string;
type Received = { id: string; headers: Record<string, unknown>; body: string };
const received: Received[] = [];
/** What a request with this body waits for before it gets a response. */
const holds = new Map<string, Promise<void>>();
/** Statuses for the next requests with this body; 200 when there are none left. */
const responses = new Map<string, number[]>();

beforeAll(async () => {
  database = await takeDatabase();
  deliveries = new Deliveries(database);
  endpoint = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ id: String(request.headers['svix-id'] ?? ''), headers: request.headers, body });
    await holds.get(body);
    response.writeHead(responses.get(body)?.shift() ?? 200).end('seen');
  });
  await once(endpoint.listen(0, 'localhost'), 'listening');
  url = `http://localhost:${(endpoint.address() as AddressInfo).port}/hook`;
});

afterAll(async () => {
  await deliveries.stop();
  giveBackDatabase(database);
  endpoint.closeAllConnections();
  endpoint.close();
});

async function enqueue(subject: string, ...bodies: string[]): Promise<NewDelivery[]> {
  const events = bodies.map((body): NewDelivery => {
    const eventId = createId('msg', 24);
    return {
      provider: 'clerk',
      url,
      secret: SECRET,
      eventId,
      eventType: 'test',
      body,
      subject,
      occurredAt: 1_700_000_000,
    };
  });
  await database.change((sql) => enqueueDeliveries(sql, events));
  return events;
}

const deliver = (events: NewDelivery[]) =>
  deliveries.deliverNow(
    events.map(({ eventId }) => eventId),
    { timeoutMs: 10_000 },
  );

/** Holds the responses to requests with this body. @returns what releases them */
function holdResponses(body: string): () => void {
  let release = () => {};
  holds.set(
    body,
    new Promise((resolve) => {
      release = resolve;
    }),
  );
  return release;
}

const newSubject = () => `${createId('person', 8)}@example.com`.toLowerCase();
const bodiesFor = (...events: NewDelivery[]) =>
  received.filter(({ id }) => events.some(({ eventId }) => eventId === id)).map(({ body }) => body);

describe('deliveries', () => {
  test('that a process had claimed when it died are sent once the claim has ended, also where nothing else happens', async () => {
    const [event] = await enqueue(newSubject(), '{"claimed":true}');
    await database.change((sql) =>
      sql("UPDATE delivery SET leased_until = now() + interval '1 second' WHERE event_id = $1", [event?.eventId]),
    );
    const restarted = new Deliveries(database);
    restarted.wake();
    await expect.poll(() => bodiesFor(...(event ? [event] : [])), { timeout: 10_000 }).toHaveLength(1);
    await restarted.stop();
  });

  test('arrive in order for one subject', async () => {
    const bodies = Array.from({ length: 8 }, (_, index) => `{"n":${index},"a":1}`);
    const events = await enqueue(newSubject(), ...bodies);
    await deliver(events);
    expect(bodiesFor(...events)).toEqual(bodies);
  });

  test('shuffled, they arrive in any order, each of them once', async () => {
    const subject = newSubject();
    await database.query((sql) => writeFault(sql, 'mode', 'shuffled', subject));
    const bodies = Array.from({ length: 20 }, (_, index) => `{"n":${index},"shuffled":true}`);
    const events = await enqueue(subject, ...bodies);
    await deliver(events);
    expect(bodiesFor(...events)).not.toEqual(bodies); // by chance once in 20! runs
    expect(bodiesFor(...events).sort()).toEqual(bodies.toSorted());
  });

  test('a duplicated delivery arrives twice at the same moment, with one ID', async () => {
    const subject = newSubject();
    await database.query((sql) => writeFault(sql, 'mode', 'duplicated', subject));
    const release = holdResponses('{"twice":true}');
    const events = await enqueue(subject, '{"twice":true}');
    const delivering = deliver(events);
    // Sooner than an attempt that is held times out: a second one after it would not be at the same moment.
    await expect.poll(() => bodiesFor(...events), { timeout: 5_000 }).toHaveLength(2);
    release();
    await delivering;
    expect(bodiesFor(...events)).toHaveLength(2);
    const [listed] = await deliveries.list({ customer: subject });
    expect(listed?.attempts).toHaveLength(2);
  });

  test('switched off, nothing is sent, until they are switched on again', async () => {
    const subject = newSubject();
    await database.query((sql) => writeFault(sql, 'mode', 'off', subject));
    const events = await enqueue(subject, '{"off":true}');
    const later = await enqueue(newSubject(), '{"on":true}'); // its turn comes after the other one's
    const queue = new Deliveries(database);
    queue.wake();
    await expect.poll(() => bodiesFor(...later), { timeout: 10_000 }).toEqual(['{"on":true}']);
    await queue.stop(); // what it had started to send has arrived
    expect(bodiesFor(...events)).toEqual([]);
    await database.query((sql) => writeFault(sql, 'mode', null, subject));
    await deliver(events);
    expect(bodiesFor(...events)).toEqual(['{"off":true}']);
  });

  test('delayed, a delivery is due that many seconds later, for this customer alone', async () => {
    const subject = newSubject();
    await database.query((sql) => writeFault(sql, 'delay_seconds', '600', subject));
    const [delayed, other] = [await enqueue(subject, '{"delayed":true}'), await enqueue(newSubject(), '{"now":true}')];
    await deliver(other);
    await deliveries.deliverNow([delayed[0]?.eventId ?? ''], { timeoutMs: 100 });
    expect(bodiesFor(...delayed, ...other)).toEqual(['{"now":true}']);
    const [listed] = await deliveries.list({ customer: subject });
    expect(listed).toMatchObject({ status: 'pending', attempts: [] });
    const { created_at, next_attempt_at } = listed ?? {};
    expect(Date.parse(next_attempt_at ?? '') - Date.parse(created_at ?? '')).toBe(600_000);
  });

  test('a failed delivery is tried again, each attempt is kept, and the next event is not held up', async () => {
    const subject = newSubject();
    responses.set('{"fails":true}', [500]);
    const events = await enqueue(subject, '{"fails":true}', '{"next":true}');
    const failing = [events[0]?.eventId];
    await database.query((sql) => sql('UPDATE delivery SET attempt_count = 4 WHERE event_id = $1', failing)); // the next is minutes away
    await deliver(events);
    expect(bodiesFor(...events)).toEqual(['{"fails":true}', '{"next":true}']);
    const soon = `UPDATE delivery SET next_attempt_at = now() + interval '0.2 s' WHERE event_id = $1`;
    await database.query((sql) => sql(soon, failing));
    deliveries.wake(); // reads when the next attempt is due
    await expect
      .poll(async () => (await deliveries.list({ customer: subject })).map(({ status }) => status), { timeout: 5_000 })
      .toEqual(['delivered', 'delivered']);
    const first = (await deliveries.list({ customer: subject })).at(-1);
    expect(first?.attempts.map(({ response_status }) => response_status)).toEqual([500, 200]);
    expect(first?.occurred_at).toBe('2023-11-14T22:13:20.000Z');
  });

  test('that are under way when all work ends are finished first, and nothing asks the database later', async () => {
    const stopped = new Deliveries(database);
    const release = holdResponses('{"held":true}');
    const [event] = await enqueue(newSubject(), '{"held":true}');
    const delivering = stopped.deliverNow([event?.eventId ?? ''], { timeoutMs: 10_000 });
    await expect.poll(() => bodiesFor(...(event ? [event] : [])), { timeout: 10_000 }).toHaveLength(1);
    const stopping = stopped.stop();
    setTimeout(release, 100);
    await stopping;
    const asked = vi.spyOn(database, 'query');
    const written = vi.spyOn(database, 'change');
    await delivering;
    expect(asked).not.toHaveBeenCalled();
    expect(written).not.toHaveBeenCalled();
    vi.restoreAllMocks();
    expect((await stopped.find(event?.eventId ?? ''))?.status).toBe('delivered');
  });

  test('one whose endpoint ends while it is under way is tried no more', async () => {
    const subject = newSubject();
    const release = holdResponses('{"ends":true}');
    responses.set('{"ends":true}', [500]);
    const [event] = await enqueue(subject, '{"ends":true}');
    const delivering = deliveries.deliverNow([event?.eventId ?? ''], { timeoutMs: 10_000 });
    await expect.poll(() => bodiesFor(...(event ? [event] : [])), { timeout: 10_000 }).toHaveLength(1);
    await database.change((sql) => cancelDeliveries(sql, SECRET));
    release();
    await delivering;
    const listed = async () => (await deliveries.list({ customer: subject }))[0];
    await expect.poll(async () => (await listed())?.attempts.length, { timeout: 5_000 }).toBe(1);
    expect(await listed()).toMatchObject({ status: 'failed', next_attempt_at: null });
  });

  test('one that is sent again while it is under way is decided by the later attempt', async () => {
    const [subject, body] = [newSubject(), '{"twice":true}'];
    const release = holdResponses(body);
    responses.set(body, [200, 500]);
    const events = await enqueue(subject, body);
    const delivering = deliver(events);
    await expect.poll(() => bodiesFor(...events), { timeout: 10_000 }).toHaveLength(1);
    holds.delete(body);
    const listed = async () => (await deliveries.list({ customer: subject }))[0];
    expect(await deliveries.redeliver((await listed())?.id ?? '')).toBe(true);
    await expect.poll(async () => (await listed())?.status, { timeout: 10_000 }).toBe('delivered');
    release();
    await delivering;
    await expect.poll(async () => (await listed())?.attempts.length, { timeout: 5_000 }).toBe(2);
    expect(await listed()).toMatchObject({ status: 'delivered', next_attempt_at: null });
  });

  test('one that was delivered can be sent again, and an unknown one cannot', async () => {
    const subject = newSubject();
    const events = await enqueue(subject, '{"again":true}');
    await deliver(events);
    const [listed] = await deliveries.list({ customer: subject });
    expect(await deliveries.redeliver(listed?.id ?? '')).toBe(true);
    await expect.poll(() => bodiesFor(...events), { timeout: 10_000 }).toHaveLength(2);
    expect(await deliveries.redeliver('dlv_none')).toBe(false);
  });
});

test('the time between attempts grows, and after the last one it is given up', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  expect(decideNextAttempt(1, now)).toEqual(new Date('2026-01-01T00:00:01Z'));
  expect(decideNextAttempt(7, now)).toEqual(new Date('2026-01-01T01:00:00Z'));
  expect(decideNextAttempt(8, now)).toBeNull();
});
