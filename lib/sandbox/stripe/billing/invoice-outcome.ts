import 'server-only';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import { failInvoice, settleInvoice } from './issue-invoice';
import { periodEnd } from './subscription-state';

const DAY = 86_400;
const DAYS_BETWEEN_ATTEMPTS = 3;
const MAX_ATTEMPTS = 4;

/** The invoice is paid; what was past due is active again. */
export async function paymentSucceeded(
  store: Store,
  subscription: ApiObject<'subscription'> | null,
  invoice: ApiObject<'invoice'>,
  paymentIntent: string,
): Promise<void> {
  await settleInvoice(store, invoice, paymentIntent);
  if (!subscription || subscription.status === 'canceled') return;
  if (subscription.status === 'past_due') subscription.status = 'active';
  await store.save(subscription, { dueAt: periodEnd(subscription) });
}

/** The invoice stays open, and its subscription is past due. */
export async function paymentFailed(
  store: Store,
  subscription: ApiObject<'subscription'> | null,
  invoice: ApiObject<'invoice'>,
): Promise<void> {
  const isLast = invoice.attempt_count + 1 >= MAX_ATTEMPTS;
  const nextAttempt = isLast ? null : store.now + DAYS_BETWEEN_ATTEMPTS * DAY;
  await failInvoice(store, invoice, nextAttempt);
  if (!subscription || subscription.status === 'canceled') return;
  subscription.status = 'past_due';
  await store.save(subscription, { dueAt: nextAttempt ?? store.now });
}
