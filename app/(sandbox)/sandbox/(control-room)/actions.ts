'use server';

import { refresh } from 'next/cache';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { after } from 'next/server';
import { z } from 'zod';
import { advanceClock } from '@/lib/sandbox/clock/advance-clock';
import { refundPayment } from '@/lib/sandbox/control/refund-payment';
import { secondsToNextChange } from '@/lib/sandbox/control-room/seconds-to-next-change';
import { changeOutage } from '@/lib/sandbox/control-room/service-outage';
import { redeliver } from '@/lib/sandbox/deliveries/delivery-queries';
import { drainDeliveries } from '@/lib/sandbox/deliveries/drain-deliveries';
import { isSandboxOn, sandboxedProviders } from '@/lib/sandbox/env';
import { writeSetting } from '@/lib/sandbox/settings/settings';

const DAY = 86_400;
const STEPS = { day: DAY, month: 31 * DAY } as const;

// Values as the form sends them; the empty one takes the setting back. `customer` is an e-mail address, empty for everyone.
const customer = z.string().max(320);
const advance = z.object({ step: z.enum(['day', 'month', 'next']), customer });
const setting = z.discriminatedUnion('name', [
  z.object({ name: z.literal('service.outage'), value: z.enum(['', 'true']), customer }),
  z.object({ name: z.literal('deliveries.mode'), value: z.enum(['', 'shuffled', 'duplicated']), customer }),
  z.object({ name: z.literal('deliveries.delay_seconds'), value: z.enum(['', '5', '30', '120']), customer }),
  z.object({ name: z.literal('stripe.drop_subscription_metadata'), value: z.enum(['', 'true']), customer }),
]);

/** Every action of the control room begins here: only where the sandbox is on, and only from its own page. */
async function requireControlRoom(): Promise<void> {
  if (sandboxedProviders().length === 0) notFound();
  const received = await headers();
  const origin = received.get('origin') ?? '';
  const host = received.get('x-forwarded-host') ?? received.get('host');
  if (!URL.canParse(origin) || new URL(origin).host !== host) throw new Error('This form was sent from another site.');
}

/** Sends an event again, as a provider's dashboard can. */
export async function redeliverNow(form: FormData): Promise<void> {
  await requireControlRoom();
  await redeliver(String(form.get('delivery')));
  after(drainDeliveries);
  refresh();
}

/** Moves time on, for everyone or for one customer, and says what happened on the way. */
export async function advanceTime(_: string, form: FormData): Promise<string> {
  await requireControlRoom();
  if (!isSandboxOn('stripe')) notFound(); // time is Stripe's
  const { step, customer } = advance.parse(Object.fromEntries(form));
  const seconds = step === 'next' ? await secondsToNextChange(customer) : STEPS[step];
  if (seconds === null) return 'Nothing is planned: there is no subscription that goes on by itself.';
  const result = await advanceClock(seconds, customer || undefined);
  if (!result) return 'Stripe knows no such customer yet.';
  after(drainDeliveries);
  refresh();
  const happened = `${result.steps} ${result.steps === 1 ? 'thing' : 'things'} happened on the way.`;
  return `It is now ${new Date(result.now * 1000).toISOString().slice(0, 10)}. ${happened}`;
}

/** A failure switched on or off, for everyone or for one customer. */
export async function changeSetting(form: FormData): Promise<void> {
  await requireControlRoom();
  const { name, value, customer } = setting.parse(Object.fromEntries(form));
  if (name === 'service.outage') await changeOutage(customer, value === 'true');
  else await writeSetting(name, value || null, customer);
  refresh();
}

/** Gives a payment back, whole. */
export async function refundNow(form: FormData): Promise<void> {
  await requireControlRoom();
  if (!isSandboxOn('stripe')) notFound();
  await refundPayment(String(form.get('charge')));
  after(drainDeliveries);
  refresh();
}
