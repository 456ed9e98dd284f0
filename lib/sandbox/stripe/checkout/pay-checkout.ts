import 'server-only';
import { deliverNow } from '../../deliveries/drain-deliveries';
import { changeAccount } from '../account';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import { failChallenge } from './challenge';
import type { CheckoutPlan, CheckoutProblem } from './checkout-plan';
import { challengeUrl, checkoutUrl, successUrl } from './checkout-urls';
import { completeSession } from './complete-session';
import { expireSession } from './expire-session';
import { lockSession } from './lock-session';
import { needsMethod, takesDebits } from './needs-method';
import { parsePaymentForm } from './payment-form';

/** Stripe's Checkout waits as long for the endpoints to answer before it sends the customer back. */
const WAIT_FOR_WEBHOOKS_MS = 10_000;

type Session = ApiObject<'checkout.session'>;

/**
 * Takes the hosted page's form and says where to send the customer: back to the shop once it is paid, to the bank's page
 * where the bank asks, else to the page again, which shows what went wrong.
 */
export const payCheckout = (sessionId: string, fields: Record<string, unknown>): Promise<string> =>
  goOn(sessionId, async (store, session) => {
    const email = session.customer ? (await store.get('customer', session.customer)).email : session.customer_email;
    const parsed = parsePaymentForm(
      { ...fields, ...(email && { email }) },
      { now: store.now, needsMethod: needsMethod(session), takesDebits: takesDebits(session) },
    );
    if ('problem' in parsed) await keepProblem(store, session, fields, parsed.problem);
    else await completeSession(store, session.id, parsed.form);
  });

/** Takes the customer's answer on the bank's page, and says where to send them. */
export const answerChallenge = (sessionId: string, isAuthenticated: boolean): Promise<string> =>
  goOn(sessionId, async (store, session) => {
    const plan = await store.internal<CheckoutPlan>(session.id);
    if (!plan.challenge) return; // answered before
    if (isAuthenticated) await completeSession(store, session.id, plan.challenge, { isAuthenticated });
    else await failChallenge(store, session, plan);
  });

/** Goes on with an open session; where it completes, the shop hears of it before the customer is sent back. */
async function goOn(sessionId: string, step: (store: Store, session: Session) => Promise<void>): Promise<string> {
  const { url, completed } = await changeAccount(async (store) => {
    const before = await lockSession(store, sessionId);
    const isOpen = before.status === 'open'; // else the button was pressed twice
    if (isOpen && before.expires_at <= store.now) await expireSession(store, before);
    else if (isOpen) await step(store, before);
    const session = await store.get('checkout.session', sessionId);
    const { challenge } = await store.internal<CheckoutPlan>(sessionId);
    if (session.status === 'complete') return { url: successUrl(session), completed: store.emitted.at(-1)?.event.id };
    return { url: challenge ? challengeUrl(sessionId) : checkoutUrl(sessionId) };
  });
  if (completed) await deliverNow([completed], { timeoutMs: WAIT_FOR_WEBHOOKS_MS });
  return url;
}

async function keepProblem(
  store: Store,
  session: Session,
  fields: Record<string, unknown>,
  problem: CheckoutProblem,
): Promise<void> {
  const plan = await store.internal<CheckoutPlan>(session.id);
  const lastAttempt = { email: String(fields.email ?? ''), name: String(fields.name ?? ''), problem };
  await store.save(session, { internal: { ...plan, challenge: null, lastAttempt } });
}
