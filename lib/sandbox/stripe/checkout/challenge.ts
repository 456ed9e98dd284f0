// 3-D Secure: before it pays, the bank asks the customer on a page of its own.
import 'server-only';
import { emitEvent } from '../emit-event';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import type { CheckoutPlan } from './checkout-plan';
import { challengeUrl } from './checkout-urls';
import { intentOf } from './pay-session';
import type { PaymentForm } from './payment-form';

type Session = ApiObject<'checkout.session'>;

/** Leaves the session open, and its intent waiting for the customer's answer. */
export async function challenge(store: Store, session: Session, plan: CheckoutPlan, form: PaymentForm): Promise<void> {
  let { paymentIntent } = plan;
  if (session.amount_total) {
    const intent = await intentOf(store, session, plan);
    intent.status = 'requires_action';
    intent.next_action = {
      type: 'redirect_to_url',
      redirect_to_url: { return_url: session.success_url, url: challengeUrl(session.id) },
    };
    await store.save(intent);
    emitEvent(store, 'payment_intent.requires_action', intent);
    paymentIntent = intent.id;
    if (session.mode === 'payment') session.payment_intent = intent.id;
  }
  await store.save(session, { internal: { ...plan, paymentIntent, challenge: form, lastAttempt: null } });
}

/** The customer could not prove to be the card's owner: the session stays open for another card. */
export async function failChallenge(store: Store, session: Session, plan: CheckoutPlan): Promise<void> {
  if (plan.paymentIntent) {
    const intent = await store.lock('payment_intent', plan.paymentIntent);
    intent.status = 'requires_payment_method';
    intent.next_action = null;
    intent.last_payment_error = {
      type: 'invalid_request_error',
      code: 'payment_intent_authentication_failure',
      doc_url: 'https://docs.stripe.com/error-codes/payment-intent-authentication-failure',
      message: 'The provided PaymentMethod has failed authentication.',
    };
    await store.save(intent);
    emitEvent(store, 'payment_intent.payment_failed', intent);
  }
  const { email = '', name = '' } = plan.challenge ?? {};
  const message = 'We are unable to authenticate your payment method. Please choose a different one and try again.';
  const lastAttempt = { email, name, problem: { field: 'number', message } as const };
  await store.save(session, { internal: { ...plan, challenge: null, lastAttempt } });
}
