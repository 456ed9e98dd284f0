import 'server-only';
import { readSetting } from '../../settings/settings';
import { mergeMetadata } from '../api/parameters';
import { invalidRequest, resourceMissing } from '../api/stripe-fault';
import { discountOf } from '../billing/discounts';
import { type TaxableLine, type Totals, totalsOf } from '../billing/taxes';
import { buildCheckoutSession, type SessionItem, toTaxableLine } from '../objects/checkout-session';
import { createPrice } from '../resources/prices';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import type { CheckoutPlan } from './checkout-plan';
import { checkoutUrl } from './checkout-urls';
import { loadTaxRates } from './load-items';
import type { NewSessionParameters } from './session-parameters';

const DAY = 86_400;
const HALF_AN_HOUR = 1_800;

/** Opens a session. Prices and customers must exist; nothing is charged and nobody subscribed before it is paid. */
export async function createSession(store: Store, given: NewSessionParameters): Promise<ApiObject<'checkout.session'>> {
  refuseContradictions(given);
  const customer = given.customer ? await store.enter(given.customer, { param: 'customer' }) : null;
  if (!customer) store.subject = given.customer_email?.toLowerCase() ?? '';
  const items = await resolveItems(store, given);
  const expiresAt = given.expires_at ?? store.now + DAY;
  if (expiresAt < store.now + HALF_AN_HOUR - 60 || expiresAt > store.now + DAY + 60) {
    throw invalidRequest('The `expires_at` timestamp must be between 30 minutes and 24 hours from now.', {
      param: 'expires_at',
    });
  }
  const discount = await resolveDiscount(store, given.discounts?.[0]);
  const plan: CheckoutPlan = {
    items: items.map(({ price, quantity, description, taxRates }) => ({
      price: price.id,
      quantity,
      description,
      taxRates: taxRates.map(({ id }) => id),
    })),
    subscription: given.mode === 'subscription' ? await subscriptionPlan(store, given) : null,
    payment:
      given.mode === 'payment'
        ? {
            metadata: mergeMetadata({}, given.payment_intent_data?.metadata),
            description: given.payment_intent_data?.description ?? null,
          }
        : null,
    coupon: discount?.coupon.id ?? null,
    promotionCode: discount?.promotionCode ?? null,
    paymentIntent: null,
    challenge: null,
    lastAttempt: null,
  };
  const session = buildCheckoutSession(
    {
      mode: given.mode,
      currency: items[0]?.price.currency ?? 'usd',
      amounts: sessionAmounts(items, plan, discount?.coupon ?? null),
      url: checkoutUrl,
      success_url: given.success_url,
      cancel_url: given.cancel_url ?? null,
      client_reference_id: given.client_reference_id ?? null,
      customer: customer?.id ?? null,
      customer_email: given.customer_email ?? null,
      customer_creation: customer ? null : customerCreation(given),
      allow_promotion_codes: given.allow_promotion_codes ?? null,
      payment_method_collection:
        given.mode === 'payment' ? 'if_required' : (given.payment_method_collection ?? 'always'),
      expires_at: expiresAt,
      locale: given.locale ?? null,
      metadata: mergeMetadata({}, given.metadata),
      invoiceMetadata: given.invoice_creation?.enabled
        ? mergeMetadata({}, given.invoice_creation.invoice_data?.metadata)
        : null,
      discounts: discount ? [{ coupon: discount.coupon.id, promotion_code: discount.promotionCode }] : [],
    },
    store.now,
  );
  return store.insert(session, { internal: plan, dueAt: expiresAt });
}

/** What the customer pays for today: during a trial not for what recurs. */
export const owedLines = (items: SessionItem[], { subscription }: CheckoutPlan): TaxableLine[] =>
  items.filter(({ price }) => !(subscription?.trialDays && price.recurring)).map(toTaxableLine);

/** What the customer owes today. */
export function sessionAmounts(items: SessionItem[], plan: CheckoutPlan, coupon: ApiObject<'coupon'> | null): Totals {
  const lines = owedLines(items, plan);
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0);
  return totalsOf(lines, discountOf(coupon, subtotal));
}

function refuseContradictions(given: NewSessionParameters): void {
  const refuse = (message: string, param: string) => {
    throw invalidRequest(message, { param });
  };
  if (given.mode === 'payment' && given.subscription_data) {
    refuse('You can not pass `subscription_data` in `payment` mode.', 'subscription_data');
  }
  if (given.mode === 'subscription' && given.payment_intent_data) {
    refuse('You can not pass `payment_intent_data` in `subscription` mode.', 'payment_intent_data');
  }
  if (given.mode === 'subscription' && given.invoice_creation) {
    refuse('You can not pass `invoice_creation` in `subscription` mode.', 'invoice_creation');
  }
  if (given.mode === 'subscription' && given.customer_creation) {
    refuse('`customer_creation` can only be used in `payment` and `setup` mode.', 'customer_creation');
  }
  if (given.customer && given.customer_email) {
    refuse('You may only specify one of these parameters: customer, customer_email.', 'customer_email');
  }
  if (given.discounts && given.allow_promotion_codes !== undefined) {
    refuse('You may only specify one of these parameters: allow_promotion_codes, discounts.', 'discounts');
  }
}

async function resolveItems(store: Store, given: NewSessionParameters): Promise<SessionItem[]> {
  const items: SessionItem[] = [];
  for (const [index, { price: id, price_data, quantity, tax_rates = [] }] of given.line_items.entries()) {
    const param = `line_items[${index}][price]`;
    if (!id && !price_data)
      throw invalidRequest(`Missing required param: ${param}.`, { param, code: 'parameter_missing' });
    const price = price_data ? await createPrice(store, price_data) : await store.get('price', id ?? '', param);
    if (!price.active) throw invalidRequest(`The price specified is inactive: \`${price.id}\`.`, { param });
    const product = await store.get('product', price.product);
    const taxRates = await loadTaxRates(store, tax_rates, `line_items[${index}][tax_rates]`);
    items.push({ price, quantity, description: product.name, taxRates });
  }
  if (new Set(items.map(({ price }) => price.currency)).size > 1) {
    throw invalidRequest('All line items must use the same currency.', { param: 'line_items' });
  }
  const hasRecurring = items.some(({ price }) => price.recurring);
  if (given.mode === 'subscription' && !hasRecurring) {
    throw invalidRequest('You must provide at least one recurring price in `subscription` mode.', {
      param: 'line_items',
    });
  }
  if (given.mode === 'payment' && hasRecurring) {
    throw invalidRequest(
      'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
      { param: 'line_items' },
    );
  }
  return items;
}

/** A fault that people make in real integrations can be switched on: the metadata does not reach the subscription. */
async function subscriptionPlan(store: Store, { subscription_data: data }: NewSessionParameters) {
  const isDropped = (await readSetting('stripe.drop_subscription_metadata', store.subject, store.tx)) === 'true';
  return {
    metadata: isDropped ? {} : mergeMetadata({}, data?.metadata),
    trialDays: data?.trial_period_days ?? null,
    description: data?.description ?? null,
  };
}

async function resolveDiscount(
  store: Store,
  asked: { coupon?: string | undefined; promotion_code?: string | undefined } | undefined,
): Promise<{ coupon: ApiObject<'coupon'>; promotionCode: string | null } | null> {
  if (asked?.promotion_code) {
    const code = await store.get('promotion_code', asked.promotion_code, 'discounts[0][promotion_code]');
    const couponId = code.promotion.coupon;
    if (!couponId) throw resourceMissing('coupon', '', 'discounts[0][promotion_code]');
    return { coupon: await store.get('coupon', couponId), promotionCode: code.id };
  }
  if (!asked?.coupon) return null;
  return { coupon: await store.get('coupon', asked.coupon, 'discounts[0][coupon]'), promotionCode: null };
}

const customerCreation = (given: NewSessionParameters) =>
  given.mode === 'subscription' ? 'always' : (given.customer_creation ?? 'if_required');
