import type { z } from 'zod';
import { createId } from '../../core/ids';
import type { trialSettings } from '../parameters';
import { addInterval } from '../pricing/periods';
import type { ApiObject } from '../wire';
import { build } from './build';
import { buildPlan } from './catalog';

const DAY = 86_400;

/** The statuses of subscriptions that have not ended: those that are listed if none is requested. */
export const CURRENT_STATUSES = ['active', 'past_due', 'unpaid', 'trialing', 'incomplete', 'paused'];

type Subscription = ApiObject<'subscription'>;

/** Whether it was canceled, or expired before its first payment: only its metadata can still change. */
export const hasEnded = ({ status }: Subscription): boolean => status === 'canceled' || status === 'incomplete_expired';

export type SubscriptionItem = ApiObject<'subscription'>['items']['data'][number];

export type TrialSettings = z.output<typeof trialSettings>;
export const TRIAL_SETTINGS: TrialSettings = { end_behavior: { missing_payment_method: 'create_invoice' } };

type NewItem = { price: ApiObject<'price'>; quantity: number; taxRates: ApiObject<'tax_rate'>[] };

export type NewSubscription = {
  customer: ApiObject<'customer'>;
  items: NewItem[];
  paymentMethod: string | null;
  metadata: Record<string, string>;
  trialDays: number | null;
  /** A time instead of days. */
  trialEnd?: number | null;
  trialSettings?: TrialSettings | undefined;
  /** Whether the method that pays an invoice becomes the subscription's default. */
  savesMethod?: boolean | undefined;
  description: string | null;
  hasAutomaticTax: boolean;
  /** The first invoice is still to be paid. Checkout takes the payment before it starts a subscription. */
  awaitsPayment?: boolean;
};

export function buildSubscription(given: NewSubscription, now: number): ApiObject<'subscription'> {
  const id = createId('sub', 24);
  const trialEnd = given.trialEnd ?? (given.trialDays ? now + given.trialDays * DAY : null);
  return build('subscription', {
    id,
    automatic_tax: {
      disabled_reason: null,
      enabled: given.hasAutomaticTax,
      liability: given.hasAutomaticTax ? { type: 'self' } : null,
    },
    billing_cycle_anchor: trialEnd ?? now,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    cancel_at_period_end: false,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: now,
    currency: given.items[0]?.price.currency ?? 'usd',
    customer: given.customer.id,
    default_payment_method: given.paymentMethod,
    default_tax_rates: [],
    description: given.description,
    discounts: [],
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: {
      object: 'list',
      data: given.items.map((item) => buildItem(id, item, now, trialEnd)),
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    metadata: given.metadata,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: given.savesMethod ? 'on_subscription' : 'off',
    },
    start_date: now,
    status: trialEnd ? 'trialing' : given.awaitsPayment ? 'incomplete' : 'active',
    test_clock: given.customer.test_clock,
    trial_end: trialEnd,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, ...(given.trialSettings ?? TRIAL_SETTINGS).end_behavior },
    },
    trial_start: trialEnd ? now : null,
  });
}

export type NewDiscount = {
  customer: string;
  coupon: Pick<ApiObject<'coupon'>, 'id' | 'duration_in_months'>;
  /** The promotion code that the customer used for the coupon. */
  promotionCode: string | null;
  /** What it applies to: the invoices of a subscription, or a session in payment mode. */
  appliesTo: { subscription: string } | { checkout_session: string };
};

/** What a coupon takes off for a customer. */
export function buildDiscount(given: NewDiscount, now: number): ApiObject<'discount'> {
  const { id: coupon, duration_in_months: months } = given.coupon;
  return build('discount', {
    id: createId('di', 24),
    customer: given.customer,
    end: months ? addInterval(now, { interval: 'month', interval_count: months }) : null,
    promotion_code: given.promotionCode,
    source: { coupon, type: 'coupon' },
    start: now,
    ...given.appliesTo,
  });
}

export function buildItem(
  subscription: string,
  { price, quantity, taxRates }: NewItem,
  now: number,
  trialEnd: number | null,
): SubscriptionItem {
  return {
    id: createId('si', 14),
    object: 'subscription_item',
    billing_thresholds: null,
    created: now,
    current_period_end: trialEnd ?? (price.recurring ? addInterval(now, price.recurring) : now),
    current_period_start: now,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: buildPlan(price),
    price,
    quantity,
    subscription,
    tax_rates: taxRates,
  };
}
