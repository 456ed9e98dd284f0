// Paying a Checkout Session: by card, with 3-D Secure, or by a bank debit that clears later.
import { awaitDebit } from '../billing/collection';
import { giveDiscount } from '../billing/discounts';
import { linkIntent } from '../billing/invoice-payments';
import { issueInvoice, markPaid } from '../billing/invoices';
import { askForAuthentication, chargeCard, createIntent, debitAccount, failAuthentication } from '../billing/payments';
import { expiry, isActive, redeem } from '../billing/redemptions';
import { oneTimeLine, startSubscription } from '../billing/subscriptions';
import { invalidRequest } from '../errors';
import { buildCustomerDetails } from '../objects/checkout-sessions';
import { balanceIn, buildCustomer, EMPTY_ADDRESS } from '../objects/customers';
import { applyBalance } from '../objects/invoices';
import { buildBankAccount, buildCard } from '../objects/payment-methods';
import type { Store } from '../store';
import { type Behavior, checkBankAccount, checkCard, type PaymentFailure, setUp } from '../test-cards';
import type { ApiObject } from '../wire';
import { type PaymentForm, typedOf } from './forms';
import { type CheckoutPlan, keepsMethod, leaveOpen, loadItems, needsCountry, type Session, setCountry } from './plan';

type Customer = ApiObject<'customer'>;
type Method = ApiObject<'payment_method'>;
type Intent = ApiObject<'payment_intent'>;

/**
 * Completes an open session. A declined card leaves it open for another attempt, and the failed charge is kept, as Stripe
 * keeps it. A card with 3-D Secure leaves it open until the customer has confirmed the payment.
 */
export async function completeSession(
  store: Store,
  session: Session,
  form: PaymentForm,
  { isAuthenticated = false } = {},
): Promise<void> {
  const saved = session.customer ? await store.get('customer', session.customer) : null;
  if (!saved?.email) store.subject = form.email.toLowerCase();
  const plan = await planWithCountry(store, session, form, saved);
  const message = await discountProblem(store, plan);
  if (message) return leaveOpen(store, session, plan, typedOf(form), { field: 'promotion_code', message });
  const behavior = behaviorOfForm(form);
  const paying = { session, plan, customer: saved };
  if (behavior?.failure) return recordDecline(store, paying, form, behavior.failure);
  if (behavior?.needsAuthentication && !isAuthenticated) return challenge(store, paying, form);

  const customer = saved ?? (await createCustomer(store, session, form));
  if (customer) await saveDetails(store, customer, plan, form);
  const owner = customer && keepsMethod(plan) ? customer.id : null;
  const country = form.country ?? plan.country ?? undefined;
  const method = await saveMethod(store, { ...form, country }, owner, behavior);
  session.customer = customer?.id ?? null;
  const address = form.address ?? method?.billing_details.address;
  session.customer_details = buildCustomerDetails({ ...form, address });
  if (session.consent_collection) session.consent = { promotions: null, terms_of_service: 'accepted' };

  const intent = await takePayment(store, { session, plan, customer, method });
  const isWaiting = intent?.status === 'processing';
  const invoice =
    plan.subscription && customer
      ? await startOf(store, { session, plan, customer, method })
      : await invoiceOf(store, { session, plan, customer });
  if (plan.coupon && !invoice) await redeem(store, plan.coupon, plan.promotionCode); // otherwise with the discount
  if (intent && isWaiting) await awaitDebit(store, intent, { session: session.id, invoice: invoice?.id ?? null });
  if (invoice && intent) await linkIntent(store, invoice, intent.id);
  if (invoice && !isWaiting) await markPaid(store, invoice, intent ? 'its payment' : 'other means');
  session.status = 'complete';
  session.url = null;
  session.payment_status = paymentStatus(session, intent);
  await store.save(session, { internal: { ...plan, challenge: null, lastAttempt: null }, dueAt: null });
  store.emit('checkout.session.completed', session);
}

/** The coupon may have been used up or deleted, or have expired, since it was applied, and its code switched off. */
async function discountProblem(store: Store, { coupon: id, promotionCode }: CheckoutPlan): Promise<string | null> {
  if (!id) return null;
  const coupon = await store.find('coupon', id);
  const code = promotionCode ? await store.find('promotion_code', promotionCode) : null;
  if (!coupon) return `Coupon ${id} was deleted and cannot be applied.`;
  const refusal = expiry(coupon, store.now, 'discounts[0][coupon]');
  if (refusal) return refusal.message;
  return code && !isActive(code, store.now) ? `${code.code} has expired.` : null;
}

/** Without an intent, the customer's credit covered the amount due. */
function paymentStatus({ amount_total: total }: Session, intent: Intent | null): Session['payment_status'] {
  if (!intent) return total ? 'paid' : 'no_payment_required';
  return intent.status === 'succeeded' ? 'paid' : 'unpaid';
}

/** Automatic tax follows the country in the form if asked for, else the known one, else the United States. */
async function planWithCountry(
  store: Store,
  session: Session,
  form: PaymentForm,
  customer: Customer | null,
): Promise<CheckoutPlan> {
  const plan = await store.internal<CheckoutPlan>(session.id);
  if (!session.automatic_tax.enabled) return { ...plan, country: form.country ?? plan.country };
  const chosen = needsCountry(session, plan) ? (form.country ?? plan.country) : null;
  const country = chosen ?? customer?.address?.country ?? 'US';
  return country === plan.country ? plan : setCountry(store, session, plan, country);
}

/** How the form's card or bank account behaves; null if it has neither. */
function behaviorOfForm({ card, bank }: PaymentForm): Behavior | null {
  if (bank) return checkBankAccount(bank);
  return card && checkCard(card.number);
}

/** Saves the form's card or bank account as a payment method; null if it has neither. */
async function saveMethod(
  store: Store,
  { card, bank, email, name, country, address, phone }: PaymentForm,
  customer: string | null,
  behavior: Behavior | null,
): Promise<Method | null> {
  const place = address ?? { ...EMPTY_ADDRESS, country: country ?? 'US' };
  const owner = { customer, email, name, phone, address: place };
  const internal = behavior && customer ? setUp(behavior) : (behavior ?? {});
  const method = bank
    ? buildBankAccount({ ...bank, ...owner }, store.now)
    : card && buildCard({ ...card, ...owner }, store.now);
  if (!method) return null;
  await store.insert(method, { internal });
  if (customer) store.emit('payment_method.attached', method);
  return method;
}

/** Creates a customer if the session asks for or needs one: an invoice has a customer. */
async function createCustomer(store: Store, session: Session, form: PaymentForm): Promise<Customer | null> {
  if (session.customer_creation !== 'always' && !session.invoice_creation?.enabled) return null;
  const customer = await store.insert(buildCustomer({ email: form.email, name: form.name }, store.now));
  await store.enter(customer.id);
  store.emit('customer.created', customer);
  return customer;
}

/**
 * Saves to the customer the email, if there is none yet, the phone number that was asked for, and the name and the address
 * if the seller asks for it. Without an address, its country is known if automatic tax asked for it.
 */
async function saveDetails(
  store: Store,
  customer: Customer,
  { savesName, savesAddress, country }: CheckoutPlan,
  form: PaymentForm,
): Promise<void> {
  const place = form.address ?? (country && { ...EMPTY_ADDRESS, country });
  const isNew = form.address || customer.address?.country !== country;
  await store.update('customer.updated', customer, () => {
    customer.email ??= form.email;
    if (savesName) customer.name = form.name;
    if (form.phone) customer.phone = form.phone;
    if (savesAddress && place && isNew) customer.address = place;
  });
}

type Paying = { session: Session; plan: CheckoutPlan; customer: Customer | null; method?: Method | null };

/** Takes what is due today, after the customer's credit if there is a subscription. Null if nothing is due. */
async function takePayment(store: Store, paying: Paying): Promise<Intent | null> {
  const { session, customer, method } = paying;
  if (amountDue(paying) === 0) return null;
  if (!method) throw invalidRequest('This session cannot be completed without a card.', { param: 'payment_method' });
  const intent = await intentOf(store, paying);
  intent.customer = customer?.id ?? null;
  if (method.type === 'us_bank_account') await debitAccount(store, intent, method);
  else await chargeCard(store, intent, method, null);
  if (session.mode === 'payment') session.payment_intent = intent.id;
  return intent;
}

/** The total, less the customer's credit if there is a subscription. */
export function amountDue({ session, customer }: Pick<Paying, 'session' | 'customer'>): number {
  const { mode, currency } = session;
  const total = session.amount_total ?? 0;
  if (mode !== 'subscription' || !customer || !currency) return total;
  return applyBalance(total, balanceIn(currency, customer), currency).due;
}

/** The intent of an earlier attempt that failed, else a new one; in payment mode with the metadata meant for it. */
async function intentOf(store: Store, paying: Paying): Promise<Intent> {
  const { session, plan } = paying;
  const amount = amountDue(paying);
  if (plan.paymentIntent) return Object.assign(await store.get('payment_intent', plan.paymentIntent), { amount });
  return createIntent(store, {
    amount,
    currency: session.currency ?? 'usd',
    customer: session.customer,
    description: plan.payment ? plan.payment.description : 'Subscription creation',
    metadata: plan.payment?.metadata ?? {},
    captureMethod: plan.payment?.captureMethod ?? undefined,
    receiptEmail: plan.payment?.receiptEmail,
    setupFutureUsage: plan.payment?.setupFutureUsage,
  });
}

/** Leaves the session open with what went wrong, and a failed charge if the card was charged. */
async function recordDecline(store: Store, paying: Paying, form: PaymentForm, failure: PaymentFailure): Promise<void> {
  const { session, plan } = paying;
  let { paymentIntent } = plan;
  // A number that is not a card's never reaches the bank.
  if (amountDue(paying) > 0 && form.card && failure.code !== 'incorrect_number') {
    const method = await saveMethod(store, form, null, behaviorOfForm(form));
    const intent = await intentOf(store, paying);
    if (method) await chargeCard(store, intent, method, failure);
    paymentIntent = intent.id;
    if (session.mode === 'payment') session.payment_intent = intent.id;
  }
  const problem = { field: form.bank ? 'account_number' : 'number', message: failure.message } as const;
  await leaveOpen(store, session, { ...plan, paymentIntent }, typedOf(form), problem);
}

/** Leaves the session open, and its intent waiting for 3-D Secure. */
async function challenge(store: Store, paying: Paying, form: PaymentForm): Promise<void> {
  const { session, plan } = paying;
  let { paymentIntent } = plan;
  if (amountDue(paying) > 0) {
    const intent = await intentOf(store, paying);
    await askForAuthentication(store, intent, session.success_url, session.id);
    paymentIntent = intent.id;
    if (session.mode === 'payment') session.payment_intent = intent.id;
  }
  await store.save(session, { internal: { ...plan, paymentIntent, challenge: form, lastAttempt: null } });
}

/** The customer did not confirm the payment: the session stays open for another card. */
export async function failChallenge(store: Store, session: Session, plan: CheckoutPlan): Promise<void> {
  if (plan.paymentIntent) await failAuthentication(store, await store.get('payment_intent', plan.paymentIntent));
  const message = 'We are unable to authenticate your payment method. Please choose a different one and try again.';
  const typed = plan.challenge ? typedOf(plan.challenge) : {};
  await leaveOpen(store, session, plan, typed, { field: 'number', message });
}

/** The subscription and its first invoice exist only now, after the payment (API 2025-03-31 and later). */
async function startOf(
  store: Store,
  { session, plan, customer, method }: Paying & { customer: Customer },
): Promise<ApiObject<'invoice'>> {
  const { subscription, invoice } = await startSubscription(store, {
    customer,
    items: await loadItems(store, plan),
    paymentMethod: method?.id ?? null,
    metadata: plan.subscription?.metadata ?? {},
    description: plan.subscription?.description ?? null,
    trialDays: plan.subscription?.trialDays ?? null,
    trialEnd: plan.subscription?.trialEnd ?? null,
    ...(plan.subscription && { trialSettings: plan.subscription.trialSettings }),
    coupon: plan.coupon,
    promotionCode: plan.promotionCode,
    hasAutomaticTax: session.automatic_tax.enabled,
  });
  session.subscription = subscription.id;
  session.invoice = invoice.id;
  return invoice;
}

/** The invoice of a one-time payment, if the seller asked for one. */
async function invoiceOf(store: Store, { session, plan, customer }: Paying): Promise<ApiObject<'invoice'> | null> {
  if (!session.invoice_creation?.enabled || !customer) return null;
  const items = await loadItems(store, plan);
  const { coupon, promotionCode } = plan;
  const owner = { customer: customer.id, promotionCode, appliesTo: { checkout_session: session.id } };
  const invoice = await issueInvoice(store, {
    customer,
    subscription: null,
    billingReason: 'manual',
    currency: session.currency ?? 'usd',
    lines: items.map((item) => oneTimeLine(item, store.now)),
    discount: coupon ? await giveDiscount(store, coupon, owner) : null,
    metadata: session.invoice_creation.invoice_data.metadata ?? {},
    hasAutomaticTax: session.automatic_tax.enabled,
  });
  session.invoice = invoice.id;
  return invoice;
}
