import type { ApiObject } from '../wire';

/** A card is asked for where something is due, and for a subscription that will be charged later unless the shop said not. */
export const needsCard = (session: ApiObject<'checkout.session'>): boolean =>
  (session.amount_total ?? 0) > 0 ||
  (session.mode === 'subscription' && session.payment_method_collection === 'always');
