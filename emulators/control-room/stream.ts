import type { Context } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { Delivery } from '../core/deliveries';
import type { Emulator } from '../core/emulator';
import type { ScenarioRuns } from './scenario-runs';

const NEWEST = 50;
const PING_MS = 15_000;

/** A delivery in a line; the whole is at /control/deliveries. */
const summaryOf = ({ id, provider, event_id, event_type, subject, status, occurred_at, attempts }: Delivery) => ({
  id,
  provider,
  event_id,
  event_type,
  subject,
  status,
  occurred_at,
  attempts: attempts.length,
});

/**
 * GET /control/stream: server-sent events. `delivery` whenever one is added or attempted, of one customer where `customer`
 * (an email address) is given; `message` for each HTTP message that was recorded; `scenario` for each step of
 * one that runs.
 */
export function streamChanges(
  c: Context,
  { deliveries, trace }: Emulator,
  runs: ScenarioRuns,
  customer?: string,
): Response {
  return streamSSE(c, async (stream) => {
    const seen = new Map((await deliveries.list({ limit: NEWEST, customer })).map((one) => [one.id, stateOf(one)]));
    let isStale = false;
    let wake = () => {};
    const endings = [
      deliveries.watch(() => {
        isStale = true;
        wake();
      }),
      trace.watch((message) => void send(stream, 'message', { ...message, request: undefined, response: undefined })),
      runs.watch(() => void send(stream, 'scenario', {})),
    ];
    stream.onAbort(() => wake());
    await send(stream, 'ready', {});
    while (!stream.aborted && !stream.closed) {
      if (isStale) {
        isStale = false;
        const changed = (await deliveries.list({ limit: NEWEST, customer })).filter(
          (one) => seen.get(one.id) !== stateOf(one),
        );
        for (const one of changed.reverse()) {
          seen.set(one.id, stateOf(one));
          await send(stream, 'delivery', summaryOf(one));
        }
      } else if (!(await waitFor((resolve) => (wake = resolve)))) await send(stream, 'ping', {});
    }
    for (const end of endings) end();
  });
}

const stateOf = ({ status, attempts }: Delivery): string => `${status} ${attempts.length}`;

const send = (stream: SSEStreamingApi, event: string, data: unknown): Promise<void> =>
  stream.writeSSE({ event, data: JSON.stringify(data) });

/** @returns whether it was woken; false when the time for a sign of life has come */
async function waitFor(register: (wake: () => void) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), PING_MS).unref();
    register(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
