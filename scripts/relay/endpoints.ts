// What the relay posts, and where: a provider's event, signed with the local secret as the provider would sign it.
import Stripe from 'stripe';
import { Webhook } from 'svix';
import type { Environment } from '../local-env.mjs';
import { CLERK_ENDPOINT, stripeEndpoints } from '../webhook-endpoints.mjs';

const TIMEOUT_MS = 30_000; // a page that `next dev` has not compiled yet takes a while
const LONGEST_WAIT_MS = 60_000;
const LONGEST_PAUSE_MS = 5 * 60_000;

export type Message = {
  /** The same on every attempt and after every restart. */
  id: string;
  type: string;
  /** Unix milliseconds. */
  occurredAt: number;
  /** What is posted, and signed, byte for byte. */
  body: string;
};

export type Endpoint = {
  url: string;
  accepts: (type: string) => boolean;
  sign: (message: Message, now: Date) => Record<string, string>;
};

const unixSeconds = (now: Date) => Math.floor(now.getTime() / 1000);

/** The headers with which Stripe would send the body. */
export const signAsStripe = (secret: string, body: string, now: Date) => ({
  'content-type': 'application/json; charset=utf-8',
  'stripe-signature': Stripe.webhooks.generateTestHeaderString({
    payload: body,
    secret,
    timestamp: unixSeconds(now),
  }),
});

/** The headers with which Clerk would send the body. */
export const signAsClerk = (secret: string, { id, body }: Pick<Message, 'id' | 'body'>, now: Date) => ({
  'content-type': 'application/json',
  'svix-id': id,
  'svix-timestamp': String(unixSeconds(now)),
  'svix-signature': new Webhook(secret).sign(id, now, body),
});

/** The app's Stripe endpoints, each with a secret of its own. @param target the app's address on this machine */
export const stripeTargets = (env: Environment, target: string): Endpoint[] =>
  stripeEndpoints(env).map(({ path, variable, events }) => ({
    url: new URL(path, target).href,
    accepts: (type) => events.some((event) => event === type),
    sign: ({ body }, now) => signAsStripe(env[variable] ?? '', body, now),
  }));

/** The app's Clerk endpoint. Of the events that it takes, Clerk's API lists new users only. */
export const clerkTargets = (env: Environment, target: string): Endpoint[] => [
  {
    url: new URL(CLERK_ENDPOINT.path, target).href,
    accepts: (type) => type === 'user.created',
    sign: (message, now) => signAsClerk(env[CLERK_ENDPOINT.variable] ?? '', message, now),
  },
];

type Attempt = {
  isDelivered: boolean;
  /** Whether the endpoint could be reached at all. */
  isReached: boolean;
  detail: string;
};

/** Posts a message once. @param signal cuts it off */
export async function post(endpoint: Endpoint, message: Message, signal: AbortSignal): Promise<Attempt> {
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  const request = {
    method: 'POST',
    headers: endpoint.sign(message, new Date()),
    body: message.body,
    redirect: 'manual',
    signal: AbortSignal.any([limit, signal]),
  } as const;
  try {
    const response = await fetch(endpoint.url, request);
    const text = (await response.text()).slice(0, 200);
    return { isDelivered: response.ok, isReached: true, detail: `${response.status} ${text}`.trim() };
  } catch (error) {
    // `AbortSignal.any` does not keep the limit alive: Node could collect it if it were not used here.
    const cause = limit.aborted ? limit.reason : error;
    return { isDelivered: false, isReached: false, detail: describeError(cause) };
  }
}

/** What failed, and why: "fetch failed: connect ECONNREFUSED …". Where a name has several addresses, only the code says why. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, code, name, cause } = error as NodeJS.ErrnoException;
  return `${message || code || name}${cause ? `: ${describeError(cause)}` : ''}`;
}

/** How long to wait after so many failed attempts: twice as long each time, a minute at most. */
export const decideWait = (failures: number, firstMs: number): number =>
  Math.min(firstMs * 2 ** (failures - 1), LONGEST_WAIT_MS);

/**
 * How long to pause polling: what the provider asks for, but at least the back-off and at most five minutes, because no webhook
 * reaches the app meanwhile.
 */
export const decidePause = (backOffMs: number, askedMs: number | null): number =>
  Math.max(backOffMs, Math.min(askedMs ?? 0, LONGEST_PAUSE_MS));
