// What the relay asks the providers: Stripe's event list and Clerk's users, as their APIs return them, oldest first.
import { z } from 'zod';
import type { Message } from './endpoints';

const LIMIT_MS = 15_000;
const PAGE = 100;

/** A provider's API with its secret key. */
export type Api = { url: string; key: string };

/** The provider asks to be left alone for a while. */
export class RateLimited extends Error {
  constructor(
    url: string,
    /** Milliseconds; null if the provider does not say. */
    readonly waitMs: number | null,
  ) {
    super(`${new URL(url).origin} responds with 429: too many requests.`);
  }
}

/** What the provider does not know, or knows no longer. */
export class NotFound extends Error {}

export async function getJson({ url, key }: Api, path: string, query: URLSearchParams): Promise<unknown> {
  const address = `${url}${path}?${query}`;
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(address, { headers, signal: AbortSignal.timeout(LIMIT_MS) });
  if (response.status === 429) {
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    throw new RateLimited(address, Number.isFinite(seconds) ? seconds * 1000 : null);
  }
  if (response.status === 401 || response.status === 403) {
    throw new Error(`${url} refuses the key for ${path} (${response.status}).`);
  }
  if (response.status === 404) throw new NotFound(`${url} does not know ${path}.`);
  if (!response.ok) throw new Error(`${url} responds with ${response.status} to ${path}.`);
  return response.json();
}

const eventList = z.object({
  has_more: z.boolean(),
  data: z.array(z.looseObject({ id: z.string(), type: z.string(), created: z.number() })),
});

/**
 * Stripe's events of these types. They have the shape of the account's API version at the time they happened, whatever the SDK's.
 * @param since Unix milliseconds, of a whole second
 */
export async function listStripeEvents(api: Api, types: readonly string[], since: number): Promise<Message[]> {
  const messages: Message[] = [];
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ limit: String(PAGE), 'created[gte]': String(since / 1000) });
    for (const type of types) query.append('types[]', type);
    if (cursor) query.set('starting_after', cursor);
    const page = eventList.parse(await getJson(api, '/v1/events', query));
    for (const event of page.data) {
      const { id, type, created } = event;
      messages.push({ id, type, occurredAt: created * 1000, body: JSON.stringify(event) });
    }
    cursor = page.has_more ? page.data.at(-1)?.id : undefined;
  } while (cursor);
  return messages.reverse(); // the list is newest first
}

const userList = z.array(z.looseObject({ id: z.string(), created_at: z.number() }));

/**
 * The users that were created since, each as the `user.created` event that Clerk would have sent. The message ID follows from
 * the user's, so that a user is reported once.
 * @param since Unix milliseconds
 */
export async function listNewUsers(api: Api, since: number): Promise<Message[]> {
  const messages: Message[] = [];
  for (;;) {
    const query = new URLSearchParams({
      limit: String(PAGE),
      offset: String(messages.length),
      order_by: '+created_at',
      created_at_after: String(since),
    });
    const users = userList.parse(await getJson(api, '/v1/users', query));
    messages.push(...users.map(toUserCreated));
    if (users.length < PAGE) return messages;
  }
}

function toUserCreated(user: z.output<typeof userList>[number]): Message {
  const type = 'user.created';
  const body = JSON.stringify({ data: user, object: 'event', type, timestamp: user.created_at });
  return { id: `relay_${user.id}`, type, occurredAt: user.created_at, body };
}
