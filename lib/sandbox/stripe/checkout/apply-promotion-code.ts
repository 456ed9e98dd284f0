import 'server-only';
import { changeAccount } from '../account';
import { totalDetails } from '../objects/checkout-session';
import type { CheckoutPlan } from './checkout-plan';
import { checkoutUrl } from './checkout-urls';
import { sessionAmounts } from './create-session';
import { loadItems } from './load-items';
import { lockSession } from './lock-session';

/** Applies the code that the customer has typed, or takes it off when it is empty; says where to go next. */
export async function applyPromotionCode(sessionId: string, code: string): Promise<string> {
  await changeAccount(async (store) => {
    const session = await lockSession(store, sessionId);
    if (session.status !== 'open' || !session.allow_promotion_codes) return;
    const plan = await store.internal<CheckoutPlan>(sessionId);
    const active = code ? await store.all('promotion_code', { active: true }) : [];
    const promotion = active.find((candidate) => candidate.code.toLowerCase() === code.toLowerCase());
    if (code && !promotion) {
      const problem = { field: 'promotion_code', message: 'This code is invalid.' } as const;
      const { email, name } = plan.lastAttempt ?? { email: '', name: '' };
      await store.save(session, { internal: { ...plan, lastAttempt: { email, name, problem } } });
      return;
    }
    const coupon = promotion?.promotion.coupon ? await store.get('coupon', promotion.promotion.coupon) : null;
    const changed: CheckoutPlan = {
      ...plan,
      coupon: coupon?.id ?? null,
      promotionCode: promotion?.id ?? null,
      paymentIntent: null,
      challenge: null,
      lastAttempt: null,
    };
    const amounts = sessionAmounts(await loadItems(store, plan), changed, coupon);
    session.amount_subtotal = amounts.subtotal;
    session.amount_total = amounts.total;
    session.total_details = totalDetails(amounts);
    session.payment_status = amounts.total > 0 ? 'unpaid' : 'no_payment_required';
    session.discounts = promotion ? [{ coupon: coupon?.id ?? null, promotion_code: promotion.id }] : [];
    await store.save(session, { internal: changed });
  });
  return checkoutUrl(sessionId);
}
