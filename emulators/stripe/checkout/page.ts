// What the hosted Checkout page shows, and what its forms do.
import type { Emulator } from '../../core/emulator';
import { AnyCase } from '../../core/objects';
import { changeAccount, readAccount } from '../account';
import { updateInvoiceOf } from '../billing/collection';
import { confirmAuthenticated } from '../billing/confirm';
import { failAuthentication } from '../billing/payments';
import { expiry, isActive, restriction } from '../billing/redemptions';
import { renewalsOf } from '../pricing/renewals';
import { taxesByRate, taxLines } from '../pricing/taxes';
import type { Store } from '../store';
import { challengeUrl, checkoutUrl, successUrl } from '../urls';
import type { ApiObject } from '../wire';
import { detailsTyped } from './details';
import { parsePaymentForm, typedIn } from './forms';
import { amountDue, completeSession, failChallenge } from './pay';
import {
  amountProblem,
  type CheckoutPlan,
  detailsAsked,
  enterSession,
  expireSession,
  leaveOpen,
  loadItems,
  needsCountry,
  needsMethod,
  owedLines,
  repriceSession,
  type Session,
  sessionAmounts,
  setCountry,
  takesDebits,
} from './plan';

/** Stripe's Checkout waits for the endpoints this long before it redirects the customer. */
const WAIT_FOR_WEBHOOKS_MS = 10_000;
const DAY = 86_400;

/** What the page shows of a session, or null if there is no such session. */
export function showCheckout(emulator: Emulator, sessionId: string) {
  return readAccount(emulator, async (store) => {
    const found = await store.find('checkout.session', sessionId);
    if (!found) return null;
    const session = await enterSession(store, sessionId);
    const plan = await store.internal<CheckoutPlan>(sessionId);
    const items = await loadItems(store, plan);
    const customer = session.customer ? await store.get('customer', session.customer) : null;
    const coupon = plan.coupon ? await store.find('coupon', plan.coupon) : null; // it may have been deleted
    const code = plan.promotionCode ? await store.get('promotion_code', plan.promotionCode) : null;
    const discount = session.total_details?.amount_discount ?? 0;
    const isExpired = session.status === 'open' && session.expires_at <= store.now;
    const trial = plan.subscription;
    const trialDays = trial?.trialEnd ? Math.ceil((trial.trialEnd - store.now) / DAY) : (trial?.trialDays ?? null);
    const trialEnd = trial?.trialEnd ?? (trialDays === null ? null : store.now + trialDays * DAY);
    return {
      status: isExpired ? 'expired' : (session.status ?? 'open'),
      mode: session.mode === 'payment' ? 'payment' : 'subscription',
      currency: session.currency ?? 'usd',
      subtotal: session.amount_subtotal ?? 0,
      discount,
      taxes: taxesByRate(taxLines(owedLines(items, plan), discount)).map(({ rate, amount }) => ({
        label: `${rate.display_name} (${rate.percentage}%)`,
        amount,
        isIncluded: rate.inclusive,
      })),
      /** Whether tax is added to what recurs, also if nothing of it is due today. */
      addsTax: items.some((item) => item.price.recurring && item.taxRates.some(({ inclusive }) => !inclusive)),
      total: session.amount_total ?? 0,
      /** What is paid today: the total, changed by the customer's balance. */
      due: amountDue({ session, customer }),
      items: items.map(({ description, quantity, price }) => ({
        description,
        quantity,
        amount: (price.unit_amount ?? 0) * quantity,
        interval: price.recurring?.interval ?? null,
        intervalCount: price.recurring?.interval_count ?? null,
      })),
      /** What the next payments of the subscription cost, tax not included: the second entry is the price after a discount. */
      renewals: renewalsOf(items, coupon, { start: store.now, trialEnd }).map(({ amount, from }) => ({
        amount,
        from: iso(from),
      })),
      trialDays,
      /** When the trial ends and the first payment is due, ISO 8601. */
      trialEnd: trialEnd === null ? null : iso(trialEnd),
      /** The email is fixed if the seller set it. */
      email: customer?.email ?? session.customer_email,
      cancelUrl: session.cancel_url,
      /** A card or a bank account is asked for. */
      needsMethod: needsMethod(session),
      takesDebits: takesDebits(session),
      /** What else is asked for, and what is already known. */
      asked: detailsAsked(session),
      known: customer
        ? detailsTyped({ address: customer.address ?? undefined, phone: customer.phone ?? undefined })
        : {},
      submitType: session.submit_type,
      customText: {
        after_submit: session.custom_text.after_submit?.message,
        submit: session.custom_text.submit?.message,
        terms_of_service_acceptance: session.custom_text.terms_of_service_acceptance?.message,
      },
      /** Automatic tax depends on the country that is chosen: the form has a `country` field (two letters). */
      needsCountry: needsCountry(session, plan),
      country: plan.country,
      allowsPromotionCodes: session.allow_promotion_codes ?? false,
      promotionCode: code?.code ?? null,
      /** What was typed in the last failed attempt, and why it failed. */
      lastAttempt: plan.lastAttempt,
      clientReferenceId: session.client_reference_id,
      /** `metadata` of the session. Stripe does not copy it to what the session creates. */
      sessionMetadata: session.metadata ?? {},
      /** The metadata of the subscription that it will create; in payment mode, of the payment. */
      createdMetadata: (plan.subscription ?? plan.payment)?.metadata ?? {},
    } as const;
  });
}

export type CheckoutView = NonNullable<Awaited<ReturnType<typeof showCheckout>>>;

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();

export type ChallengeView = { amount: number; currency: string; last4: string };

/** The payment to confirm on the 3-D Secure page, or null if there is none. `id` is a session's or a PaymentIntent's. */
export function showChallenge(emulator: Emulator, id: string): Promise<ChallengeView | null> {
  return readAccount(emulator, async (store) => {
    const intent = await store.find('payment_intent', id);
    if (intent) {
      const method = intent.payment_method && (await store.get('payment_method', intent.payment_method));
      if (intent.status !== 'requires_action' || !method) return null;
      return { amount: intent.amount, currency: intent.currency, last4: method.card?.last4 ?? '' };
    }
    const session = await store.find('checkout.session', id);
    const { challenge } = await store.internal<Partial<CheckoutPlan>>(id);
    if (session?.status !== 'open' || !challenge?.card) return null;
    const customer = session.customer ? await store.get('customer', session.customer) : null;
    return {
      amount: amountDue({ session, customer }),
      currency: session.currency ?? 'usd',
      last4: challenge.card.number.slice(-4),
    };
  });
}

/**
 * Takes the payment form and returns where to send the customer: to the seller when it is paid, to the 3-D Secure page
 * if the card requires it, else back to the page, which shows what went wrong.
 */
export const payCheckout = (emulator: Emulator, sessionId: string, fields: Record<string, unknown>): Promise<string> =>
  proceed(emulator, sessionId, async (store, session) => {
    const email = session.customer ? (await store.get('customer', session.customer)).email : session.customer_email;
    const parsed = parsePaymentForm(
      { ...fields, ...(email && { email }) },
      {
        now: store.now,
        needsMethod: needsMethod(session),
        takesDebits: takesDebits(session),
        ...detailsAsked(session),
      },
    );
    if ('form' in parsed) return completeSession(store, session, parsed.form);
    const plan = await store.internal<CheckoutPlan>(session.id);
    await leaveOpen(store, session, plan, typedIn(fields), parsed.problem);
  });

/** Takes the result of 3-D Secure and returns where to send the customer. `id` is as in `showChallenge`. */
export async function answerChallenge(emulator: Emulator, id: string, isAuthenticated: boolean): Promise<string> {
  const isIntent = await readAccount(emulator, async (store) => (await store.find('payment_intent', id)) !== null);
  if (isIntent) return authenticateIntent(emulator, id, isAuthenticated);
  return proceed(emulator, id, async (store, session) => {
    const plan = await store.internal<CheckoutPlan>(session.id);
    if (!plan.challenge) return; // submitted twice
    if (isAuthenticated) await completeSession(store, session, plan.challenge, { isAuthenticated });
    else await failChallenge(store, session, plan);
  });
}

const authenticateIntent = (emulator: Emulator, id: string, isAuthenticated: boolean): Promise<string> =>
  changeAccount(emulator, async (store) => {
    const intent = await store.getEntered('payment_intent', id);
    const returnUrl = intent.next_action?.redirect_to_url?.return_url ?? store.config.appUrl;
    if (intent.status === 'requires_action' && isAuthenticated) await confirmAuthenticated(store, intent);
    else if (intent.status === 'requires_action') {
      await failAuthentication(store, intent);
      await updateInvoiceOf(store, intent);
    }
    const url = new URL(returnUrl);
    url.searchParams.set('payment_intent', id);
    url.searchParams.set('payment_intent_client_secret', intent.client_secret ?? '');
    url.searchParams.set('redirect_status', intent.status === 'succeeded' ? 'succeeded' : 'failed');
    return url.href;
  });

/** Continues with an open session. If that completes it, the endpoints are notified before the customer is sent back. */
async function proceed(
  emulator: Emulator,
  sessionId: string,
  step: (store: Store, session: Session) => Promise<void>,
): Promise<string> {
  const { url, completed } = await changeAccount(emulator, async (store) => {
    const before = await enterSession(store, sessionId);
    const isOpen = before.status === 'open'; // else the button was pressed twice
    if (isOpen && before.expires_at <= store.now) await expireSession(store, before);
    else if (isOpen) await step(store, before);
    const session = await store.get('checkout.session', sessionId);
    const { challenge } = await store.internal<CheckoutPlan>(sessionId);
    if (session.status === 'complete') {
      return { url: successUrl(store.config, session), completed: store.emitted.at(-1)?.event.id };
    }
    return { url: challenge ? challengeUrl(store.config, sessionId) : checkoutUrl(store.config, sessionId) };
  });
  if (completed) await emulator.deliveries.deliverNow([completed], { timeoutMs: WAIT_FOR_WEBHOOKS_MS });
  return url;
}

const INVALID_CODE = 'This code is invalid.';

/** Why an active code does not apply to this session; null if it does. */
async function codeProblem(
  store: Store,
  { customer, amount_subtotal: amount, currency }: Session,
  code: ApiObject<'promotion_code'>,
  coupon: ApiObject<'coupon'>,
): Promise<string | null> {
  if (expiry(coupon, store.now, 'promotion_code')) return INVALID_CODE;
  return restriction(store, code, { customer, amount, currency: currency ?? 'usd' });
}

/** Applies the code that the customer has typed, or removes it when it is empty. @returns where to go next */
export async function applyPromotionCode(emulator: Emulator, sessionId: string, code: string): Promise<string> {
  await changeAccount(emulator, async (store) => {
    const session = await enterSession(store, sessionId);
    if (session.status !== 'open' || !session.allow_promotion_codes) return;
    const plan = await store.internal<CheckoutPlan>(sessionId);
    const named = code ? await store.all('promotion_code', { code: new AnyCase(code), active: true }) : [];
    const active = named.filter((candidate) => isActive(candidate, store.now));
    // One of the customer's own comes before one for all; another customer's is refused below.
    const promotion =
      active.find(({ customer }) => customer !== null && customer === session.customer) ??
      active.find(({ customer }) => customer === null) ??
      active[0];
    const coupon = promotion?.promotion.coupon ? await store.get('coupon', promotion.promotion.coupon) : null;
    const items = await loadItems(store, plan);
    const message =
      code && !promotion
        ? INVALID_CODE
        : ((promotion && coupon && (await codeProblem(store, session, promotion, coupon))) ??
          amountProblem(items, sessionAmounts(items, plan, coupon), coupon)?.message);
    if (message) {
      const typed = typedIn({ ...plan.lastAttempt, promotion_code: code });
      return leaveOpen(store, session, plan, typed, { field: 'promotion_code', message });
    }
    session.discounts = promotion ? [{ coupon: coupon?.id ?? null, promotion_code: promotion.id }] : [];
    await repriceSession(store, session, {
      ...plan,
      coupon: coupon?.id ?? null,
      promotionCode: promotion?.id ?? null,
      challenge: null,
      lastAttempt: null,
    });
  });
  return checkoutUrl(emulator.config, sessionId);
}

/** Sets the country that automatic tax depends on (two capital letters). @returns where to go next */
export async function chooseCountry(emulator: Emulator, sessionId: string, country: string): Promise<string> {
  await changeAccount(emulator, async (store) => {
    const session = await enterSession(store, sessionId);
    const plan = await store.internal<CheckoutPlan>(sessionId);
    const isAsked = session.status === 'open' && needsCountry(session, plan);
    if (isAsked && /^[A-Z]{2}$/.test(country)) await setCountry(store, session, plan, country);
  });
  return checkoutUrl(emulator.config, sessionId);
}
