import 'server-only';
import { invalidRequest } from '../api/stripe-fault';
import type { PaymentFailure } from '../billing/cards';
import { chargeCard, createPaymentIntent } from '../billing/charge-card';
import { debitAccount } from '../billing/debit-account';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import type { CheckoutField, CheckoutPlan } from './checkout-plan';
import type { PaymentForm } from './payment-form';
import { keepMeans } from './payment-means';

type Session = ApiObject<'checkout.session'>;

/** Takes what is due today: a card pays now, a bank account in some days. Null where nothing is due. */
export async function paySession(
  store: Store,
  session: Session,
  plan: CheckoutPlan,
  method: ApiObject<'payment_method'> | null,
): Promise<ApiObject<'payment_intent'> | null> {
  if (!session.amount_total) return null;
  if (!method) throw invalidRequest('This session cannot be completed without a card.', { param: 'payment_method' });
  const intent = await intentOf(store, session, plan);
  intent.customer = session.customer;
  if (method.type === 'us_bank_account') await debitAccount(store, intent, method);
  else await chargeCard(store, intent, method, null);
  if (session.mode === 'payment') session.payment_intent = intent.id;
  return intent;
}

/** Leaves the session open with what went wrong, and a failed charge where the bank was asked. */
export async function recordDecline(
  store: Store,
  session: Session,
  plan: CheckoutPlan,
  { form, failure, field }: { form: PaymentForm; failure: PaymentFailure; field: CheckoutField },
): Promise<void> {
  const { email, name } = form;
  let { paymentIntent } = plan;
  // A number that is no card never reaches the bank.
  if (session.amount_total && form.card && failure.code !== 'incorrect_number') {
    const method = await keepMeans(store, form, { customer: null, laterFailure: null });
    const intent = await intentOf(store, session, plan);
    if (method) await chargeCard(store, intent, method, failure);
    paymentIntent = intent.id;
    if (session.mode === 'payment') session.payment_intent = intent.id;
  }
  const lastAttempt = { email, name, problem: { field, message: failure.message } };
  await store.save(session, { internal: { ...plan, challenge: null, paymentIntent, lastAttempt } });
}

/** The intent of an earlier, declined attempt goes on; in payment mode it carries the session's metadata for it. */
export async function intentOf(
  store: Store,
  session: Session,
  plan: CheckoutPlan,
): Promise<ApiObject<'payment_intent'>> {
  if (plan.paymentIntent) return store.lock('payment_intent', plan.paymentIntent);
  return createPaymentIntent(store, {
    amount: session.amount_total ?? 0,
    currency: session.currency ?? 'usd',
    customer: session.customer,
    description: plan.payment ? plan.payment.description : 'Subscription creation',
    metadata: plan.payment?.metadata ?? {},
  });
}
