import 'server-only';
import { readAccount } from '../account';
import { taxesByRate, taxLines } from '../billing/taxes';
import type { CheckoutPlan, CheckoutProblem } from './checkout-plan';
import { owedLines } from './create-session';
import { loadItems } from './load-items';
import { needsMethod, takesDebits } from './needs-method';

export type CheckoutView = {
  status: 'open' | 'complete' | 'expired';
  mode: 'payment' | 'subscription';
  currency: string;
  subtotal: number;
  discount: number;
  taxes: { label: string; amount: number; isIncluded: boolean }[];
  total: number;
  items: { description: string; amount: number; quantity: number; interval: string | null }[];
  trialDays: number | null;
  /** The customer's address is fixed where the shop has named it. */
  email: string | null;
  cancelUrl: string | null;
  /** A card or a bank account is asked for. */
  needsMethod: boolean;
  takesDebits: boolean;
  allowsPromotionCodes: boolean;
  promotionCode: string | null;
  lastAttempt: { email: string; name: string; problem: CheckoutProblem } | null;
};

/** What the hosted page shows of a session, or null where there is no such session. */
export async function showCheckout(id: string): Promise<CheckoutView | null> {
  return readAccount(async (store) => {
    const session = await store.find('checkout.session', id);
    if (!session) return null;
    const plan = await store.internal<CheckoutPlan>(id);
    const items = await loadItems(store, plan);
    const customer = session.customer ? await store.get('customer', session.customer) : null;
    const code = plan.promotionCode ? await store.get('promotion_code', plan.promotionCode) : null;
    const discount = session.total_details?.amount_discount ?? 0;
    const isExpired = session.status === 'open' && session.expires_at <= store.now;
    return {
      status: isExpired ? 'expired' : (session.status ?? 'open'),
      mode: session.mode === 'payment' ? 'payment' : 'subscription',
      currency: session.currency ?? 'usd',
      subtotal: session.amount_subtotal ?? 0,
      discount,
      taxes: taxesByRate(taxLines(owedLines(items, plan), discount)).map(({ rate, amount }) => ({
        label: `${rate.display_name} (${rate.percentage} %)`,
        amount,
        isIncluded: rate.inclusive,
      })),
      total: session.amount_total ?? 0,
      items: items.map(({ description, quantity, price }) => ({
        description,
        quantity,
        amount: (price.unit_amount ?? 0) * quantity,
        interval: price.recurring?.interval ?? null,
      })),
      trialDays: plan.subscription?.trialDays ?? null,
      email: customer?.email ?? session.customer_email,
      cancelUrl: session.cancel_url,
      needsMethod: needsMethod(session),
      takesDebits: takesDebits(session),
      allowsPromotionCodes: session.allow_promotion_codes ?? false,
      promotionCode: code?.code ?? null,
      lastAttempt: plan.lastAttempt,
    };
  });
}
