import 'server-only';
import { readAccount } from '../account';
import type { CheckoutPlan } from './checkout-plan';

export type ChallengeView = { amount: number; currency: string; last4: string };

/** What the bank's page asks about, or null where the bank asks nothing. */
export async function showChallenge(id: string): Promise<ChallengeView | null> {
  return readAccount(async (store) => {
    const session = await store.find('checkout.session', id);
    const { challenge } = await store.internal<Partial<CheckoutPlan>>(id);
    if (session?.status !== 'open' || !challenge?.card) return null;
    const { amount_total: amount, currency } = session;
    return { amount: amount ?? 0, currency: currency ?? 'usd', last4: challenge.card.number.slice(-4) };
  });
}
