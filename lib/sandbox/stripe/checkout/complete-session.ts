import 'server-only';
import { newId } from '../api/new-id';
import { invalidRequest } from '../api/stripe-fault';
import type { PaymentFailure } from '../billing/cards';
import { awaitDebit } from '../billing/debit-account';
import { issueInvoice, settleInvoice } from '../billing/issue-invoice';
import { startSubscription } from '../billing/start-subscription';
import { emitEvent } from '../emit-event';
import { buildCustomer } from '../objects/customer';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import { challenge } from './challenge';
import type { CheckoutPlan } from './checkout-plan';
import { loadItems } from './load-items';
import { lockSession } from './lock-session';
import { paySession, recordDecline } from './pay-session';
import type { PaymentForm } from './payment-form';
import { checkMeans, keepMeans } from './payment-means';

type Session = ApiObject<'checkout.session'>;

export type CheckoutResult =
  | { outcome: 'completed'; session: Session }
  | { outcome: 'challenged' }
  | { outcome: 'declined'; failure: PaymentFailure };

/**
 * Completes an open session with a card, or with a bank account that pays some days later. A declined card leaves the
 * session open for another attempt; the failed charge is kept, as Stripe keeps it. A card with 3-D Secure leaves it open
 * until the customer has answered the bank.
 */
export async function completeSession(
  store: Store,
  id: string,
  form: PaymentForm,
  { isAuthenticated = false } = {},
): Promise<CheckoutResult> {
  const session = await lockSession(store, id);
  if (session.status !== 'open') {
    throw invalidRequest('This Checkout Session is no longer open.', { code: 'checkout_session_not_open' });
  }
  const plan = await store.internal<CheckoutPlan>(id);
  const known = session.customer ? await store.get('customer', session.customer) : null;
  if (!known) store.subject = form.email.toLowerCase();

  const check = checkMeans(form);
  if (check.outcome === 'fails') {
    const { failure, field } = check;
    await recordDecline(store, session, plan, { form, failure, field });
    return { outcome: 'declined', failure };
  }

  if (check.needsAuthentication && !isAuthenticated) {
    await challenge(store, session, plan, form);
    return { outcome: 'challenged' };
  }

  const customer = known ?? (await createCustomer(store, session, form));
  const owner = { customer: customer?.id ?? null, laterFailure: check.laterFailure };
  const method = await keepMeans(store, form, owner);
  session.customer = owner.customer;
  session.customer_details = customerDetails(method, form);

  const intent = await paySession(store, session, plan, method);
  const isWaiting = intent?.status === 'processing';
  const invoice =
    plan.subscription && customer
      ? await startSession(store, { session, plan, customer, method })
      : await invoiceSession(store, { session, plan, customer });
  if (intent && isWaiting) await awaitDebit(store, intent, { session: id, invoice: invoice?.id ?? null });
  if (invoice && isWaiting) await store.save(invoice, { internal: { paymentIntent: intent.id } });
  if (invoice && !isWaiting) await settleInvoice(store, invoice, intent?.id ?? null);
  session.status = 'complete';
  session.url = null;
  session.payment_status = !intent ? 'no_payment_required' : isWaiting ? 'unpaid' : 'paid';
  await store.save(session, { internal: { ...plan, challenge: null, lastAttempt: null }, dueAt: null });
  emitEvent(store, 'checkout.session.completed', session);
  return { outcome: 'completed', session };
}

async function createCustomer(
  store: Store,
  session: Session,
  form: PaymentForm,
): Promise<ApiObject<'customer'> | null> {
  if (session.customer_creation !== 'always') return null;
  const customer = await store.insert(buildCustomer({ email: form.email, name: form.name }, store.now));
  await store.enter(customer.id);
  emitEvent(store, 'customer.created', customer);
  return customer;
}

type Completed = { session: Session; plan: CheckoutPlan; customer: ApiObject<'customer'> | null };
type Subscribed = Completed & { customer: ApiObject<'customer'>; method: ApiObject<'payment_method'> | null };

/** The subscription and its first invoice come to be only now, after the customer has paid (API 2025-03-31 and later). */
async function startSession(
  store: Store,
  { session, plan, customer, method }: Subscribed,
): Promise<ApiObject<'invoice'>> {
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
  return invoice;
}

/** The invoice of a payment that is made once, where the shop asked for one. */
async function invoiceSession(
  store: Store,
  { session, plan, customer }: Completed,
): Promise<ApiObject<'invoice'> | null> {
  if (!session.invoice_creation?.enabled || !customer) return null;
  const items = await loadItems(store, plan);
  const discount = session.total_details?.amount_discount ?? 0;
  const invoice = await issueInvoice(store, {
    customer,
    subscription: null,
    billingReason: 'manual',
    currency: session.currency ?? 'usd',
    lines: items.map(({ price, quantity, description, taxRates }) => ({
      price,
      quantity,
      amount: (price.unit_amount ?? 0) * quantity,
      description,
      period: { start: store.now, end: store.now },
      subscriptionItem: null,
      isProration: false,
      taxRates,
    })),
    discount: discount > 0 ? { id: newId('di'), amount: discount } : null,
    metadata: session.invoice_creation.invoice_data.metadata ?? {},
  });
  session.invoice = invoice.id;
  return invoice;
}

function customerDetails(method: ApiObject<'payment_method'> | null, form: PaymentForm): Session['customer_details'] {
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
