// Opening a Checkout Session: what its parameters name must exist and fit together.
import { readFault } from '../../core/faults';
import { automaticRates } from '../billing/automatic-tax';
import { checkTrialEnd } from '../billing/change-plan';
import { refuseMixedCurrencies } from '../billing/pending-items';
import { createPrice, loadTaxRates, sellablePrice } from '../billing/prices';
import { resolveDiscount } from '../billing/redemptions';
import { ApiError, invalidRequest, missingParam } from '../errors';
import { buildCheckoutSession, type SessionItem, toTaxableLine } from '../objects/checkout-sessions';
import { methodTypesOf } from '../objects/payment-methods';
import { TRIAL_SETTINGS } from '../objects/subscriptions';
import { mergeMetadata } from '../parameters';
import type { Store } from '../store';
import { checkoutUrl } from '../urls';
import type { ApiObject } from '../wire';
import { type NewSession, refuseContradictions } from './parameters';
import { amountProblem, type CheckoutPlan, type Session, sessionAmounts, toPlanItems } from './plan';

const DAY = 86_400;
const HALF_AN_HOUR = 1_800;
/** From this version on, `allowed_payment_method_types` replaces `payment_method_types`. */
const WITHOUT_METHOD_TYPES = '2026-09-30';

/** Opens a session. Prices and customers must exist; charges and subscriptions are created when it is paid. */
export async function createSession(store: Store, given: NewSession): Promise<Session> {
  refuseContradictions(given);
  if (given.payment_method_types && store.apiVersion >= WITHOUT_METHOD_TYPES) {
    throw invalidRequest(
      'Received unknown parameter: payment_method_types. Since API version 2026-09-30.endive there is `allowed_payment_method_types` instead.',
      { param: 'payment_method_types', code: 'parameter_unknown' },
    );
  }
  const customer = given.customer ? await store.enter(given.customer, { param: 'customer' }) : null;
  if (!customer) store.subject = given.customer_email?.toLowerCase() ?? '';
  const expiresAt = given.expires_at ?? store.now + DAY;
  if (expiresAt < store.now + HALF_AN_HOUR - 60 || expiresAt > store.now + DAY + 60) {
    throw invalidRequest('The `expires_at` timestamp must be between 30 minutes and 24 hours from now.', {
      param: 'expires_at',
    });
  }
  const country = given.automatic_tax?.enabled ? taxCountry(given, customer) : null;
  const items = await resolveItems(store, given, country);
  const currency = items[0]?.price.currency ?? 'usd';
  if (customer && given.mode === 'subscription') await refuseMixedCurrencies(store, customer.id, currency);
  const amount = items.map(toTaxableLine).reduce((sum, line) => sum + line.amount, 0);
  const order = { customer: customer?.id ?? null, amount, currency };
  const discount = await resolveDiscount(store, given.discounts?.[0], order);
  const plan: CheckoutPlan = {
    items: toPlanItems(items),
    subscription: given.mode === 'subscription' ? await subscriptionPlan(store, given) : null,
    payment: given.mode === 'payment' ? paymentPlan(given) : null,
    coupon: discount?.coupon.id ?? null,
    promotionCode: discount?.promotionCode?.id ?? null,
    savesName: given.customer_update?.name === 'auto',
    savesAddress: !customer || given.customer_update?.address === 'auto',
    country,
    paymentIntent: null,
    challenge: null,
    lastAttempt: null,
  };
  const coupon = discount?.coupon ?? null;
  const amounts = sessionAmounts(items, plan, coupon);
  const problem = amountProblem(items, amounts, coupon);
  if (problem) throw invalidRequest(problem.message, problem);
  const { invoice_creation: invoice } = given;
  const session = buildCheckoutSession(
    {
      mode: given.mode,
      currency,
      amounts,
      url: (id) => checkoutUrl(store.config, id),
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
      allowed_payment_method_types: given.allowed_payment_method_types ?? null,
      methodTypes: methodTypes(given, currency),
      locale: given.locale ?? null,
      billing_address_collection: given.billing_address_collection ?? null,
      needsPhone: given.phone_number_collection?.enabled ?? false,
      needsConsent: given.consent_collection?.terms_of_service === 'required',
      customText: given.custom_text ?? {},
      submit_type: given.submit_type ?? null,
      metadata: mergeMetadata({}, given.metadata),
      invoiceMetadata: invoice?.enabled ? mergeMetadata({}, invoice.invoice_data?.metadata) : null,
      automaticTax: given.automatic_tax?.enabled ? { status: country ? 'complete' : 'requires_location_inputs' } : null,
      discounts: discount ? [{ coupon: discount.coupon.id, promotion_code: plan.promotionCode }] : [],
    },
    store.now,
  );
  return store.insert(session, { internal: plan, dueAt: expiresAt });
}

/** The country that is known when the session opens; null if Checkout asks for it. */
function taxCountry({ customer_update: update }: NewSession, customer: ApiObject<'customer'> | null): string | null {
  const country = customer?.address?.country ?? null;
  if (customer && !country && update?.address !== 'auto') {
    throw new ApiError(400, {
      type: 'invalid_request_error',
      code: 'customer_tax_location_invalid',
      param: 'automatic_tax[enabled]',
      message:
        "Automatic tax calculation in Checkout requires a valid address on the Customer. Add a valid address to the Customer or set either `customer_update[address]` to 'auto' or `customer_update[shipping]` to 'auto' to save the address entered in Checkout to the Customer.",
    });
  }
  return country;
}

/** The currency's methods, limited to those that the seller names. A debit cannot be held for a later capture. */
function methodTypes(given: NewSession, currency: string): string[] {
  if (given.payment_intent_data?.capture_method === 'manual') return ['card'];
  const named: string[] | undefined = given.payment_method_types ?? given.allowed_payment_method_types;
  return methodTypesOf(currency).filter((type) => named?.includes(type) ?? true);
}

async function resolveItems(store: Store, given: NewSession, country: string | null): Promise<SessionItem[]> {
  const items: SessionItem[] = [];
  for (const [index, { price: id, price_data, quantity, tax_rates = [] }] of given.line_items.entries()) {
    const param = `line_items[${index}][price]`;
    if (!id && !price_data) {
      throw missingParam(param);
    }
    const price = price_data ? await createPrice(store, price_data) : await sellablePrice(store, id ?? '', param);
    if (quantity === undefined) {
      throw invalidRequest(`Quantity is required. Add \`quantity\` to \`line_items[${index}]\``, {
        param: `line_items[${index}][quantity]`,
        code: 'parameter_missing',
      });
    }
    const { name: description } = await store.get('product', price.product);
    const taxRates = given.automatic_tax?.enabled
      ? await automaticRates(store, price, country)
      : await loadTaxRates(store, tax_rates, `line_items[${index}][tax_rates]`);
    items.push({ price, quantity, description, taxRates });
  }
  const refuse = (message: string) => {
    throw invalidRequest(message, { param: 'line_items' });
  };
  if (new Set(items.map(({ price }) => price.currency)).size > 1) refuse('All line items must use the same currency.');
  const recurring = items.filter(({ price }) => price.recurring).length;
  const hasRecurring = recurring > 0;
  if (given.mode === 'subscription' && !hasRecurring) {
    refuse('You must provide at least one recurring price in `subscription` mode.');
  }
  if (given.mode === 'subscription' && Math.max(recurring, items.length - recurring) > 20) {
    refuse('A subscription can have at most 20 recurring and 20 one-time prices.');
  }
  if (given.mode === 'payment' && hasRecurring) {
    refuse(
      'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
    );
  }
  return items;
}

/** A fault can switch on a mistake of real integrations: the metadata does not reach the subscription. */
async function subscriptionPlan(store: Store, { subscription_data: data }: NewSession) {
  const isDropped = (await readFault(store.sql, 'drop_subscription_metadata', store.subject)) === 'true';
  return {
    metadata: isDropped ? {} : mergeMetadata({}, data?.metadata),
    trialDays: data?.trial_period_days ?? null,
    trialEnd: trialEndOf(data?.trial_end, store.now),
    trialSettings: data?.trial_settings ?? TRIAL_SETTINGS,
    description: data?.description ?? null,
  };
}

function trialEndOf(end: number | undefined, now: number): number | null {
  if (end === undefined) return null;
  const param = 'subscription_data[trial_end]';
  if (end < now + 2 * DAY) {
    throw invalidRequest('The `trial_end` date has to be at least 2 days in the future.', { param });
  }
  checkTrialEnd(end, now, param);
  return end;
}

const paymentPlan = ({ payment_intent_data: data }: NewSession) => ({
  metadata: mergeMetadata({}, data?.metadata),
  description: data?.description ?? null,
  captureMethod: data?.capture_method ?? null,
  receiptEmail: data?.receipt_email ?? null,
  setupFutureUsage: data?.setup_future_usage ?? null,
});

const customerCreation = (given: NewSession) =>
  given.mode === 'subscription' ? 'always' : (given.customer_creation ?? 'if_required');
