// Changes to a running subscription: its items, its trial, its discount, its end, its payment method.
import { z } from 'zod';
import { invalidRequest, notCovered } from '../errors';
import { hasEnded } from '../objects/subscriptions';
import {
  discounts,
  emptyOr,
  expand,
  flag,
  integer,
  mergeMetadata,
  metadata,
  paymentSettings,
  prorationBehavior,
  text,
  trialSettings,
} from '../parameters';
import { nextChangeAt, periodEnd } from '../pricing/periods';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import { cancellationDetails, NO_FEEDBACK } from './cancel-subscription';
import { beginPeriod, changeItems, itemChange } from './change-items';
import { collectInvoice, saveOverdue } from './collection';
import { amountOf, giveDiscount } from './discounts';
import { resolveMethod } from './payment-methods';
import { resolveCoupon } from './redemptions';
import { invoicePeriod } from './subscriptions';

type Subscription = ApiObject<'subscription'>;

const LONGEST_TRIAL = 730 * 86_400;

export const proration = {
  payment_behavior: z.enum(['allow_incomplete', 'error_if_incomplete']).optional(),
  proration_behavior: prorationBehavior.optional(),
};

export const subscriptionUpdate = z.strictObject({
  ...proration,
  cancel_at: emptyOr(z.enum(['min_period_end', 'max_period_end'])).optional(),
  cancel_at_period_end: flag.optional(),
  cancellation_details: cancellationDetails.optional(),
  default_payment_method: text.optional(),
  description: emptyOr(text).optional(),
  discounts: emptyOr(discounts).optional(),
  metadata: metadata.optional(),
  items: z.array(itemChange).max(20).optional(),
  off_session: flag.optional(),
  pause_collection: emptyOr(
    z.strictObject({ behavior: z.enum(['mark_uncollectible', 'void']), resumes_at: integer().optional() }),
  ).optional(),
  payment_settings: paymentSettings.optional(),
  trial_end: z.union([z.literal('now'), integer()]).optional(),
  trial_settings: trialSettings.optional(),
  expand,
});

type SubscriptionUpdate = Omit<z.output<typeof subscriptionUpdate>, 'expand'>;

/** Changes the given fields, leaves the rest, and reports it in one event. */
export async function updateSubscription(
  store: Store,
  subscription: Subscription,
  given: SubscriptionUpdate,
): Promise<Subscription> {
  if (hasEnded(subscription)) refuseOtherChanges(given);
  if (subscription.status === 'incomplete') refusePlanChange(given);
  const before = structuredClone(subscription);
  subscription.metadata = mergeMetadata(subscription.metadata, given.metadata);
  if (given.description !== undefined) subscription.description = given.description;
  if (given.default_payment_method) {
    const use = { customer: subscription.customer, purpose: 'later charges', param: 'default_payment_method' } as const;
    subscription.default_payment_method = (await resolveMethod(store, given.default_payment_method, use)).id;
  }
  Object.assign(subscription.payment_settings ?? {}, given.payment_settings);
  Object.assign(subscription.trial_settings?.end_behavior ?? {}, given.trial_settings?.end_behavior);
  if (given.pause_collection !== undefined) {
    const { behavior, resumes_at = null } = given.pause_collection ?? {};
    subscription.pause_collection = behavior ? { behavior, resumes_at } : null;
  }
  if (given.discounts !== undefined) await changeDiscount(store, subscription, given.discounts ?? []);
  const behavior = given.proration_behavior ?? 'create_prorations';
  const isErrorIfUnpaid = given.payment_behavior === 'error_if_incomplete';
  const isOnSession = !given.off_session;
  const how = { behavior, isErrorIfUnpaid, isOnSession };
  const bill = given.items && (await changeItems(store, subscription, given.items, how));
  const billTrial =
    given.trial_end === undefined ? null : changeTrial(store, subscription, given.trial_end, isOnSession);
  setEnd(subscription, given, store.now);
  Object.assign(subscription.cancellation_details ?? {}, given.cancellation_details);
  await saveSchedule(store, subscription);
  await bill?.();
  await billTrial?.();
  store.emitUpdate('customer.subscription.updated', before, subscription);
  return subscription;
}

function refuseOtherChanges({
  metadata: _metadata,
  cancellation_details: _details,
  ...others
}: SubscriptionUpdate): void {
  if (Object.keys(others).length === 0) return;
  throw invalidRequest('A canceled subscription can only update its cancellation_details and metadata.');
}

/** Until its first payment succeeds, nothing may change what that payment is for. */
function refusePlanChange({ items, discounts, trial_end, pause_collection }: SubscriptionUpdate): void {
  if ([items, discounts, trial_end, pause_collection].every((change) => change === undefined)) return;
  throw invalidRequest('An incomplete subscription can only update its metadata and its payment method.');
}

/** A new coupon replaces the current one; an empty list removes it. It applies from the next invoice. */
async function changeDiscount(
  store: Store,
  subscription: Subscription,
  [asked]: NonNullable<SubscriptionUpdate['discounts']>,
): Promise<void> {
  const { id, customer, currency, items } = subscription;
  const amount = items.data.reduce((sum, item) => sum + amountOf(item), 0);
  const found = await resolveCoupon(store, asked, { customer, currency, amount });
  subscription.discounts = [];
  if (!found) return;
  const owner = { customer, promotionCode: found.promotionCode?.id ?? null, appliesTo: { subscription: id } };
  subscription.discounts = [(await giveDiscount(store, found.coupon.id, owner)).id];
}

/**
 * Moves the end of a trial, or ends it now, which begins the first paid period. A subscription without a trial has none
 * to end.
 * @returns a function that bills that period, once the subscription is saved
 */
function changeTrial(
  store: Store,
  subscription: Subscription,
  end: number | 'now',
  isOnSession: boolean,
): (() => Promise<void>) | null {
  const { status, items } = subscription;
  if (status !== 'trialing') {
    if (end === 'now') return null;
    throw notCovered('a trial for a subscription that has begun', 'trial_end');
  }
  if (end !== 'now') checkTrialEnd(end, store.now, 'trial_end');
  subscription.trial_end = end === 'now' ? store.now : end;
  subscription.billing_cycle_anchor = subscription.trial_end;
  if (end !== 'now') {
    for (const item of items.data) item.current_period_end = end;
    return null;
  }
  store.emit('customer.subscription.trial_will_end', subscription);
  subscription.status = 'active';
  for (const item of items.data) beginPeriod(subscription, item, store.now);
  return async () => {
    const customer = await store.get('customer', subscription.customer);
    const invoice = await invoicePeriod(store, subscription, { customer, billingReason: 'subscription_update' });
    await collectInvoice(store, subscription, invoice, { canWait: isOnSession });
  };
}

/**
 * Ends it when its period does, or takes that back. An end that was set as a date stays until the date is cleared:
 * `cancel_at_period_end: false` takes back only what `true` set.
 */
function setEnd(
  subscription: Subscription,
  { cancel_at: date, cancel_at_period_end: flag }: SubscriptionUpdate,
  now: number,
): void {
  if (subscription.cancel_at_period_end) subscription.cancel_at = periodEnd(subscription); // the period may have changed
  const takesBack = flag === false && subscription.cancel_at_period_end;
  if (!flag && !takesBack && date === undefined) return;
  const ends = Boolean(flag || date); // all items have one period, so its first end is its last, too
  subscription.cancel_at_period_end = flag ?? false;
  subscription.cancel_at = ends ? periodEnd(subscription) : null;
  subscription.canceled_at = ends ? now : null;
  subscription.cancellation_details = ends
    ? { ...NO_FEEDBACK, ...subscription.cancellation_details, reason: 'cancellation_requested' }
    : { ...NO_FEEDBACK, reason: null };
}

/** Saves it with the time at which it renews or ends, or is retried. Another status waits for its expiry, or for nothing. */
async function saveSchedule(store: Store, subscription: Subscription): Promise<void> {
  if (subscription.status === 'past_due') return saveOverdue(store, subscription);
  const isRunning = subscription.status === 'active' || subscription.status === 'trialing';
  await store.save(subscription, isRunning ? { dueAt: nextChangeAt(subscription, store.now) } : {});
}

/** @throws unless a trial may end at this time, in Unix seconds: in the future, and at most two years from now */
export function checkTrialEnd(end: number, now: number, param: string): void {
  if (end <= now) {
    throw invalidRequest('Invalid timestamp: must be an integer Unix timestamp in the future.', { param });
  }
  if (end > now + LONGEST_TRIAL) {
    throw invalidRequest('Invalid timestamp: a trial can end at most two years from now.', { param });
  }
}
