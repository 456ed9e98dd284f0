import 'server-only';
import { z } from 'zod';
import { advanceClock, secondsToNextChange } from '../clock/advance-clock';
import { isSandboxOn } from '../env';
import { notFoundResponse, readControl } from './read-control';

const FIVE_YEARS = 5 * 366 * 86_400;

const body = z.union([
  z.object({ advance_seconds: z.int().min(0).max(FIVE_YEARS), customer: z.string().min(1).optional() }),
  z.object({ advance_to: z.literal('next'), customer: z.string().min(1) }),
]);

/**
 * POST /sandbox/control/clock: `{"advance_seconds": n, "customer"?: "cus_… or e-mail"}`, or
 * `{"advance_to": "next", "customer": …}` for whatever happens to that customer next. Time is Stripe's: 404 where Stripe is real.
 */
export async function controlClock(request: Request): Promise<Response> {
  if (!isSandboxOn('stripe')) return notFoundResponse();
  const read = await readControl(request, body);
  if ('refusal' in read) return read.refusal;
  const { customer } = read.data;
  const seconds =
    'advance_seconds' in read.data ? read.data.advance_seconds : await secondsToNextChange(read.data.customer);
  const result = seconds === null ? null : await advanceClock(seconds, customer);
  if (!result) return Response.json({ error: 'There is no such customer.', code: 'unknown_customer' }, { status: 404 });
  return Response.json({ now: new Date(result.now * 1000).toISOString(), happened: result.steps });
}
