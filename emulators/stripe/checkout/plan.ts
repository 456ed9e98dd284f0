// What a Checkout Session will create once it is paid. The API shows none of this on the session itself.
import { automaticRates } from '../billing/automatic-tax';
import { cancelIntent, isCancelable } from '../billing/payments';
import { loadTaxRates } from '../billing/prices';
import {
  buildCustomerDetails,
  buildLineItems,
  type SessionItem,
  toTaxableLine,
  totalDetails,
} from '../objects/checkout-sessions';
import type { TrialSettings } from '../objects/subscriptions';
import { couponProblem, greatestAmount, leastAmount } from '../pricing/limits';
import { discountOf, type TaxableLine, type Totals, totalsOf } from '../pricing/taxes';
import { listOf, type PageOfItems, pageOf } from '../route';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import type { Asked } from './details';
import type { PaymentForm, Problem, Typed } from './forms';

export type Session = ApiObject<'checkout.session'>;

export type CheckoutPlan = {
  items: { price: string; quantity: number; description: string; taxRates: string[] }[];
  subscription: {
    metadata: Record<string, string>;
    trialDays: number | null;
    /** A time instead of days. */
    trialEnd: number | null;
    trialSettings: TrialSettings;
    description: string | null;
  } | null;
  payment: {
    metadata: Record<string, string>;
    description: string | null;
    receiptEmail: string | null;
    captureMethod: 'automatic' | 'automatic_async' | 'manual' | null;
    setupFutureUsage: 'off_session' | 'on_session' | null;
  } | null;
  coupon: string | null;
  promotionCode: string | null;
  /** Whether the name entered in Checkout is saved to the customer: `customer_update[name]`. */
  savesName: boolean;
  /** Whether the address entered in Checkout is saved to the customer: `customer_update[address]`. */
  savesAddress: boolean;
  /** The country for automatic tax, once it is known. */
  country: string | null;
  /** The intent of an attempt that failed: the next one continues with it. */
  paymentIntent: string | null;
  /** The form with a card that requires 3-D Secure, until the customer has confirmed the payment. */
  challenge: PaymentForm | null;
  /** What the hosted page shows after an attempt that failed. */
  lastAttempt: (Typed & { problem: Problem }) | null;
};

/** A card or bank account is asked for if something is due, and for a subscription that will be charged later. */
export const needsMethod = (session: Session): boolean =>
  (session.amount_total ?? 0) > 0 ||
  (session.mode === 'subscription' && session.payment_method_collection === 'always');

/** What is asked for besides the payment method. */
export const detailsAsked = (session: Session): Required<Asked> => ({
  needsAddress: session.billing_address_collection === 'required',
  needsPhone: session.phone_number_collection?.enabled ?? false,
  needsConsent: session.consent_collection?.terms_of_service === 'required',
});

/** Automatic tax follows the address that the customer has, unless the one from Checkout is saved. */
export const needsCountry = (session: Session, { savesAddress }: CheckoutPlan): boolean =>
  session.automatic_tax.enabled && savesAddress;

/** A subscription's payment method is kept for its renewals; a one-time one only if the seller asked for it. */
export const keepsMethod = ({ subscription, payment }: CheckoutPlan): boolean =>
  Boolean(subscription || payment?.setupFutureUsage);

/** ACH Direct Debit exists only for dollars. */
export const takesDebits = (session: Session): boolean => session.payment_method_types.includes('us_bank_account');

/** A session, in its customer's time. */
export async function enterSession(store: Store, id: string): Promise<Session> {
  const session = await store.get('checkout.session', id);
  if (session.customer) await store.enter(session.customer);
  else store.subject = session.customer_email?.toLowerCase() ?? '';
  return session;
}

/** A session's items with their prices and tax rates as they are now. */
export async function loadItems(store: Store, { items }: CheckoutPlan): Promise<SessionItem[]> {
  const loaded: SessionItem[] = [];
  for (const { price, quantity, description, taxRates } of items) {
    const rates = await loadTaxRates(store, taxRates, 'tax_rates');
    loaded.push({ price: await store.get('price', price), quantity, description, taxRates: rates });
  }
  return loaded;
}

export const toPlanItems = (items: SessionItem[]): CheckoutPlan['items'] =>
  items.map(({ price, quantity, description, taxRates }) => ({
    price: price.id,
    quantity,
    description,
    taxRates: taxRates.map(({ id }) => id),
  }));

/** What the customer pays for today: during a trial, not the recurring items. */
export const owedLines = (
  items: SessionItem[],
  { subscription }: Pick<CheckoutPlan, 'subscription'>,
): TaxableLine[] => {
  const hasTrial = Boolean(subscription?.trialDays || subscription?.trialEnd);
  return items.filter(({ price }) => !(hasTrial && price.recurring)).map(toTaxableLine);
};

/** What the customer owes today. */
export function sessionAmounts(
  items: SessionItem[],
  plan: Pick<CheckoutPlan, 'subscription'>,
  coupon: ApiObject<'coupon'> | null,
): Totals {
  const lines = owedLines(items, plan);
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0);
  return totalsOf(lines, discountOf(coupon, subtotal));
}

/** Why these items cannot be sold at these amounts; null if they can. */
export function amountProblem(
  [item]: SessionItem[],
  { total }: Totals,
  coupon: ApiObject<'coupon'> | null,
): { message: string; param: string; code?: string } | null {
  const currency = item?.price.currency ?? 'usd';
  const mismatch = couponProblem(coupon, currency);
  if (mismatch) return { message: mismatch, param: 'discounts[0][coupon]' };
  const least = leastAmount(total, currency);
  const greatest = greatestAmount(total, currency);
  if (!least && !greatest) return null;
  const limit = least ? `at least ${least}` : `no more than ${greatest}`;
  return {
    message: `The Checkout Session's total amount due must add up to ${limit}`,
    param: 'line_items',
    code: least ? 'amount_too_small' : 'amount_too_large',
  };
}

/** Brings a session's amounts up to date with a changed plan. */
export async function repriceSession(store: Store, session: Session, plan: CheckoutPlan): Promise<void> {
  const coupon = plan.coupon ? await store.get('coupon', plan.coupon) : null;
  const amounts = sessionAmounts(await loadItems(store, plan), plan, coupon);
  session.amount_subtotal = amounts.subtotal;
  session.amount_total = amounts.total;
  session.total_details = totalDetails(amounts);
  session.payment_status = amounts.total > 0 ? 'unpaid' : 'no_payment_required';
  await store.save(session, { internal: plan });
}

/** Sets the country for automatic tax. @returns the changed plan */
export async function setCountry(
  store: Store,
  session: Session,
  plan: CheckoutPlan,
  country: string,
): Promise<CheckoutPlan> {
  const items = await loadItems(store, plan);
  for (const item of items) item.taxRates = await automaticRates(store, item.price, country);
  const changed = { ...plan, country, items: toPlanItems(items) };
  session.automatic_tax.status = 'complete';
  await repriceSession(store, session, changed);
  return changed;
}

/** The line items of a session; requested by themselves or through `expand`. */
export async function listLineItems(store: Store, session: string, page: PageOfItems = { limit: 10 }) {
  const { total_details: details } = await store.get('checkout.session', session);
  const items = await loadItems(store, await store.internal<CheckoutPlan>(session));
  const data = buildLineItems(session, items, details?.amount_discount ?? 0);
  return listOf(`/v1/checkout/sessions/${session}/line_items`, pageOf(data, page));
}

/** Whether the PaymentIntent was created by a failed attempt to pay an open session. */
export async function isForSession({ sql }: Store, paymentIntent: string): Promise<boolean> {
  const rows = await sql(
    `SELECT id FROM object WHERE type = 'stripe.checkout.session' AND data->>'status' = 'open'
       AND internal->>'paymentIntent' = $1`,
    [paymentIntent],
  );
  return rows.length > 0;
}

/** Leaves the session open for another attempt, with what was typed and what is wrong. */
export async function leaveOpen(
  store: Store,
  session: Session,
  plan: CheckoutPlan,
  typed: Typed,
  problem: Problem,
): Promise<void> {
  await store.save(session, { internal: { ...plan, challenge: null, lastAttempt: { ...typed, problem } } });
}

/** Closes a session that was not paid, and gives up its payment. */
export async function expireSession(store: Store, session: Session): Promise<Session> {
  store.subject ||= session.customer_email?.toLowerCase() ?? '';
  const { paymentIntent } = await store.internal<CheckoutPlan>(session.id);
  const intent = paymentIntent ? await store.get('payment_intent', paymentIntent) : null;
  if (intent && isCancelable(intent)) await cancelIntent(store, intent, 'expired');
  session.status = 'expired';
  session.url = null;
  const customer = session.customer ? await store.find('customer', session.customer) : null;
  const email = session.customer_email ?? customer?.email;
  if (email) session.customer_details = buildCustomerDetails({ email });
  await store.save(session, { dueAt: null });
  store.emit('checkout.session.expired', session);
  return session;
}
