import 'server-only';
import { deliverNow } from '../../deliveries/drain-deliveries';
import { appUrl } from '../../env';
import { changeAccount } from '../account';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import type { CheckoutPlan, CheckoutProblem } from './checkout-plan';
import { completeSession } from './complete-session';
import { expireSession } from './expire-session';
import { lockSession } from './lock-session';
import { needsMethod, takesDebits } from './needs-method';
import { parsePaymentForm } from './payment-form';

/** Stripe's Checkout waits as long for the endpoints to answer before it sends the customer back. */
const WAIT_FOR_WEBHOOKS_MS = 10_000;

/**
 * Takes the hosted page's form and says where to send the customer: back to the shop once it is paid, else to the page
 * again, which shows what went wrong.
 */
export async function payCheckout(sessionId: string, fields: Record<string, unknown>): Promise<string> {
  const { session, completed } = await changeAccount(async (store) => {
    const session = await payWithin(store, sessionId, fields);
    return { session, completed: session.status === 'complete' ? store.emitted.at(-1)?.event.id : undefined };
  });
  if (completed) await deliverNow([completed], { timeoutMs: WAIT_FOR_WEBHOOKS_MS });
  return session.status === 'complete' ? successUrl(session) : checkoutUrl(session.id);
}

async function payWithin(
  store: Store,
  id: string,
  fields: Record<string, unknown>,
): Promise<ApiObject<'checkout.session'>> {
  const session = await lockSession(store, id);
  if (session.status !== 'open') return session; // pressed twice
  if (session.expires_at <= store.now) return expireSession(store, session);
  const email = session.customer ? (await store.get('customer', session.customer)).email : session.customer_email;
  const parsed = parsePaymentForm(
    { ...fields, ...(email && { email }) },
    { now: store.now, needsMethod: needsMethod(session), takesDebits: takesDebits(session) },
  );
  if ('problem' in parsed) return keepProblem(store, session, fields, parsed.problem);
  const result = await completeSession(store, id, parsed.form);
  return result.outcome === 'completed' ? result.session : session;
}

async function keepProblem(
  store: Store,
  session: ApiObject<'checkout.session'>,
  fields: Record<string, unknown>,
  problem: CheckoutProblem,
): Promise<ApiObject<'checkout.session'>> {
  const plan = await store.internal<CheckoutPlan>(session.id);
  const lastAttempt = { email: String(fields.email ?? ''), name: String(fields.name ?? ''), problem };
  return store.save(session, { internal: { ...plan, lastAttempt } });
}

export const checkoutUrl = (session: string): string => `${appUrl()}/sandbox/stripe/checkout/${session}`;

const successUrl = (session: ApiObject<'checkout.session'>): string =>
  (session.success_url ?? appUrl()).replaceAll('{CHECKOUT_SESSION_ID}', session.id);
