import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import { z } from 'zod';
import type { Emulator } from '../core/emulator';
import type { ScenarioRuns } from './scenario-runs';

const PING_MS = 15_000;
/** Between two checks of the deliveries, however many change in between. */
const PAUSE_MS = 100;

/** What a stream is limited to; if nothing is given, everything is sent. */
export const streamQuery = z.object({
  /** The kinds of events, separated by commas. */
  events: z.string().optional(),
  /** Deliveries of this email address. */
  customer: z.string().trim().optional(),
  /** Messages of this browser. */
  visitor: z.string().optional(),
  /** Steps of this scenario, and deliveries of its visitor. */
  scenario: z.string().optional(),
  /** The change counts that a page was rendered from: if more has happened since, the stream begins with `stale`. */
  since: z.string().optional(),
});

const KINDS = ['delivery', 'message', 'scenario', 'control'];

/** How much has happened of each kind. */
export const versionOf = ({ deliveries, trace, controlled }: Emulator, runs: ScenarioRuns): string =>
  [deliveries.changes, trace.recorded, runs.changes, controlled].map(({ count }) => count).join('.');

/**
 * GET /control/stream: server-sent events. `delivery` whenever deliveries were added or attempted, `stale` if something happened since
 * the page was rendered, `message` for each HTTP message that was recorded, `scenario` for each step of one that runs, `control` when a
 * fault, a clock or the whole state was changed from the control room or by a control route.
 */
export function streamChanges(
  c: Context,
  emulator: Emulator,
  runs: ScenarioRuns,
  { events, customer, visitor, scenario, since }: z.infer<typeof streamQuery>,
): Response {
  const { deliveries, trace, controlled } = emulator;
  const kinds = new Set(events?.split(',') ?? KINDS);
  const isBehind = () => {
    const [then, now] = [since?.split('.'), versionOf(emulator, runs).split('.')];
    return then !== undefined && KINDS.some((kind, index) => kinds.has(kind) && then[index] !== now[index]);
  };
  const readVersion = async () => {
    const subject = scenario ? runs.find(scenario)?.visitor?.email : customer;
    return !kinds.has('delivery') || (scenario && !subject) ? '' : deliveries.readVersion(subject);
  };
  return streamSSE(c, async (stream) => {
    let version = await readVersion();
    let haveChanged = false;
    let wake = () => {};
    const endings = [
      deliveries.changes.watch(() => {
        haveChanged = true;
        wake();
      }),
      trace.recorded.watch((message) => {
        if (!kinds.has('message') || (visitor && visitor !== message.visitor)) return;
        void send(stream, 'message', { ...message, request: undefined, response: undefined });
      }),
      runs.changes.watch((name) => {
        if (kinds.has('scenario') && (!scenario || scenario === name)) void send(stream, 'scenario', {});
      }),
      controlled.watch(() => {
        if (kinds.has('control')) void send(stream, 'control', {});
      }),
    ];
    stream.onAbort(() => wake());
    await send(stream, 'ready', {});
    if (isBehind()) await send(stream, 'stale', {});
    while (!stream.aborted && !stream.closed) {
      if (haveChanged) {
        haveChanged = false;
        const now = await readVersion();
        if (now !== version) await send(stream, 'delivery', {});
        version = now;
        await delay(PAUSE_MS);
      } else if (!(await waitFor((resolve) => (wake = resolve)))) await send(stream, 'ping', {});
    }
    for (const end of endings) end();
  });
}

const send = (stream: SSEStreamingApi, event: string, data: unknown): Promise<void> =>
  stream.writeSSE({ event, data: JSON.stringify(data) });

/** @returns whether it was woken; false when a keep-alive is due */
async function waitFor(register: (wake: () => void) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), PING_MS).unref();
    register(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
