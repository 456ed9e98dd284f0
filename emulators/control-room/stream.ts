import type { Context } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import { z } from 'zod';
import type { DeliverySummary } from '../core/deliveries';
import type { Emulator } from '../core/emulator';
import type { ScenarioRuns } from './scenario-runs';

const NEWEST = 50;
const PING_MS = 15_000;

/** What a stream is limited to; nothing given, everything is sent. */
export const streamQuery = z.object({
  /** The kinds of events, separated by commas. */
  events: z.string().default('delivery,message,scenario'),
  /** Deliveries of this email address. */
  customer: z.string().trim().optional(),
  /** Messages of this browser. */
  visitor: z.string().optional(),
  /** Steps of this scenario, and deliveries of its visitor. */
  scenario: z.string().optional(),
});

/**
 * GET /control/stream: server-sent events. `delivery` whenever one is added or attempted, `message` for each HTTP message
 * that was recorded, `scenario` for each step of one that runs.
 */
export function streamChanges(
  c: Context,
  { deliveries, trace }: Emulator,
  runs: ScenarioRuns,
  { events, customer, visitor, scenario }: z.infer<typeof streamQuery>,
): Response {
  const kinds = new Set(events.split(','));
  const list = async () => {
    const subject = scenario ? runs.find(scenario)?.visitor?.email : customer;
    return kinds.has('delivery') && (subject || !scenario) ? deliveries.summarize({ limit: NEWEST, subject }) : [];
  };
  return streamSSE(c, async (stream) => {
    const seen = new Map((await list()).map((one) => [one.id, stateOf(one)]));
    let isStale = false;
    let wake = () => {};
    const endings = [
      deliveries.watch(() => {
        isStale = true;
        wake();
      }),
      trace.watch((message) => {
        if (!kinds.has('message') || (visitor && visitor !== message.visitor)) return;
        void send(stream, 'message', { ...message, request: undefined, response: undefined });
      }),
      runs.watch((name) => {
        if (kinds.has('scenario') && (!scenario || scenario === name)) void send(stream, 'scenario', {});
      }),
    ];
    stream.onAbort(() => wake());
    await send(stream, 'ready', {});
    while (!stream.aborted && !stream.closed) {
      if (isStale) {
        isStale = false;
        const changed = (await list()).filter((one) => seen.get(one.id) !== stateOf(one));
        for (const one of changed.reverse()) {
          seen.set(one.id, stateOf(one));
          await send(stream, 'delivery', one);
        }
      } else if (!(await waitFor((resolve) => (wake = resolve)))) await send(stream, 'ping', {});
    }
    for (const end of endings) end();
  });
}

const stateOf = ({ status, attempts }: DeliverySummary): string => `${status} ${attempts}`;

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
