'use server';

import { refresh } from 'next/cache';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { after } from 'next/server';
import { redeliver } from '@/lib/sandbox/deliveries/delivery-queries';
import { drainDeliveries } from '@/lib/sandbox/deliveries/drain-deliveries';
import { isSandboxOn } from '@/lib/sandbox/env';

/** Every action of the control room begins here: only where the sandbox is on, and only from its own page. */
async function requireControlRoom(): Promise<void> {
  if (!isSandboxOn('clerk') && !isSandboxOn('stripe')) notFound();
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
