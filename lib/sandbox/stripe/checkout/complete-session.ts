import 'server-only';
import { newId } from '../api/new-id';
import { invalidRequest } from '../api/stripe-fault';
import { type CardFailure, checkCard } from '../billing/cards';
import { chargeCard, createPaymentIntent } from '../billing/charge-card';
import { issueInvoice, settleInvoice } from '../billing/issue-invoice';
import { startSubscription } from '../billing/start-subscription';
import { emitEvent } from '../emit-event';
import { buildCustomer } from '../objects/customer';
import { buildPaymentMethod } from '../objects/payment-method';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import type { Card, CardForm } from './card-form';
import type { CheckoutPlan } from './checkout-plan';
import { loadItems } from './load-items';
import { lockSession } from './lock-session';

type Session = ApiObject<'checkout.session'>;

export type CheckoutResult = { outcome: 'paid'; session: Session } | { outcome: 'declined'; failure: CardFailure };

/**
 * Pays an open session with a card. A declined card leaves the session open for another attempt; the failed charge is
 * kept, as Stripe keeps it.
 */
export async function completeSession(store: Store, id: string, form: CardForm): Promise<CheckoutResult> {
  const session = await lockSession(store, id);
  if (session.status !== 'open') {
    throw invalidRequest('This Checkout Session is no longer open.', { code: 'checkout_session_not_open' });
  }
  const plan = await store.internal<CheckoutPlan>(id);
  const known = session.customer ? await store.get('customer', session.customer) : null;
  if (!known) store.subject = form.email.toLowerCase();

  const check = form.card ? checkCard(form.card.number) : null;
  if (form.card && check?.outcome === 'fails') {
    await recordDecline(store, session, plan, { ...form, card: form.card }, check.failure);
    return { outcome: 'declined', failure: check.failure };
  }

  const customer = known ?? (await createCustomer(store, session, form));
  const method = form.card ? buildPaymentMethod(cardOf({ ...form, card: form.card }, customer?.id), store.now) : null;
  if (method)
    await store.insert(method, {
      internal: { laterFailure: check?.outcome === 'succeeds' ? check.laterFailure : null },
    });
  session.customer = customer?.id ?? null;
  session.customer_details = customerDetails(method, form);

  const intent = await paySession(store, session, plan, method);
  if (plan.subscription && customer) {
    await startSession(store, { session, plan, customer, method, intent });
  } else {
    await invoiceSession(store, { session, plan, customer, intent });
  }
  session.status = 'complete';
  session.url = null;
  session.payment_status = intent ? 'paid' : 'no_payment_required';
  await store.save(session, { internal: { ...plan, lastAttempt: null }, dueAt: null });
  emitEvent(store, 'checkout.session.completed', session);
  return { outcome: 'paid', session };
}

/** The intent of an earlier, declined attempt goes on; in payment mode it carries the session's metadata for it. */
async function intentOf(store: Store, session: Session, plan: CheckoutPlan): Promise<ApiObject<'payment_intent'>> {
  if (plan.paymentIntent) return store.lock('payment_intent', plan.paymentIntent);
  return createPaymentIntent(store, {
    amount: session.amount_total ?? 0,
    currency: session.currency ?? 'usd',
    customer: session.customer,
    description: plan.payment ? plan.payment.description : 'Subscription creation',
    metadata: plan.payment?.metadata ?? {},
  });
}

async function paySession(
  store: Store,
  session: Session,
  plan: CheckoutPlan,
  method: ApiObject<'payment_method'> | null,
): Promise<ApiObject<'payment_intent'> | null> {
  if (!session.amount_total) return null;
  if (!method) throw invalidRequest('This session cannot be completed without a card.', { param: 'payment_method' });
  const intent = await intentOf(store, session, plan);
  intent.customer = session.customer;
  await chargeCard(store, intent, method, null);
  if (session.mode === 'payment') session.payment_intent = intent.id;
  return intent;
}

async function recordDecline(
  store: Store,
  session: Session,
  plan: CheckoutPlan,
  form: CardForm & { card: Card },
  failure: CardFailure,
): Promise<void> {
  const { email, name } = form;
  let { paymentIntent } = plan;
  const problem = { field: 'number', message: failure.message } as const;
  // A number that is no card never reaches the bank.
  if (session.amount_total && failure.code !== 'incorrect_number') {
    const method = await store.insert(buildPaymentMethod(cardOf(form, null), store.now));
    const intent = await intentOf(store, session, plan);
    await chargeCard(store, intent, method, failure);
    paymentIntent = intent.id;
    if (session.mode === 'payment') session.payment_intent = intent.id;
  }
  await store.save(session, { internal: { ...plan, paymentIntent, lastAttempt: { email, name, problem } } });
}

async function createCustomer(store: Store, session: Session, form: CardForm): Promise<ApiObject<'customer'> | null> {
  if (session.customer_creation !== 'always') return null;
  const customer = await store.insert(buildCustomer({ email: form.email, name: form.name }, store.now));
  await store.enter(customer.id);
  emitEvent(store, 'customer.created', customer);
  return customer;
}

type Paid = {
  session: Session;
  plan: CheckoutPlan;
  customer: ApiObject<'customer'> | null;
  intent: ApiObject<'payment_intent'> | null;
};

/** The subscription and its first invoice come to be only now, after the payment (API 2025-03-31 and later). */
async function startSession(
  store: Store,
  {
    session,
    plan,
    customer,
    method,
    intent,
  }: Paid & { customer: ApiObject<'customer'>; method: ApiObject<'payment_method'> | null },
): Promise<void> {
  const items = await loadItems(store, plan);
  const { subscription, invoice } = await startSubscription(store, {
    customer,
    items,
    paymentMethod: method?.id ?? null,
    metadata: plan.subscription?.metadata ?? {},
    description: plan.subscription?.description ?? null,
    trialDays: plan.subscription?.trialDays ?? null,
    coupon: plan.coupon,
    promotionCode: plan.promotionCode,
  });
  session.subscription = subscription.id;
  session.invoice = invoice.id;
  await settleInvoice(store, invoice, intent?.id ?? null);
}

async function invoiceSession(store: Store, { session, plan, customer, intent }: Paid): Promise<void> {
  if (!session.invoice_creation?.enabled || !customer) return;
  const items = await loadItems(store, plan);
  const discount = session.total_details?.amount_discount ?? 0;
  const invoice = await issueInvoice(store, {
    customer,
    subscription: null,
    billingReason: 'manual',
    currency: session.currency ?? 'usd',
    lines: items.map(({ price, quantity, description }) => ({
      price,
      quantity,
      amount: (price.unit_amount ?? 0) * quantity,
      description,
      period: { start: store.now, end: store.now },
      subscriptionItem: null,
      isProration: false,
    })),
    discount: discount > 0 ? { id: newId('di'), amount: discount } : null,
    metadata: session.invoice_creation.invoice_data.metadata ?? {},
  });
  session.invoice = invoice.id;
  await settleInvoice(store, invoice, intent?.id ?? null);
}

const cardOf = ({ card, email, name }: CardForm & { card: Card }, customer: string | null | undefined) => ({
  ...card,
  email,
  name,
  customer: customer ?? null,
});

function customerDetails(method: ApiObject<'payment_method'> | null, form: CardForm): Session['customer_details'] {
  return {
    address: method?.billing_details.address ?? null,
    business_name: null,
    email: form.email,
    individual_name: null,
    name: form.name,
    phone: null,
    tax_exempt: 'none',
    tax_ids: [],
  };
}
