import 'server-only';
import { invalidRequest } from '../api/stripe-fault';
import { emitEvent } from '../emit-event';
import { buildRefund } from '../objects/refund';
import type { Store } from '../store';
import type { ApiObject } from '../wire';

type Wanted = {
  amount: number | undefined;
  reason: ApiObject<'refund'>['reason'];
  metadata: Record<string, string>;
};

/** Gives back all that is left of a charge, or a part of it. */
export async function refundCharge(
  store: Store,
  { id, customer }: ApiObject<'charge'>,
  { amount, reason, metadata }: Wanted,
): Promise<ApiObject<'refund'>> {
  if (customer) await store.enter(customer);
  const charge = await store.lock('charge', id);
  store.subject ||= charge.billing_details.email?.toLowerCase() ?? '';
  const left = charge.amount_captured - charge.amount_refunded;
  if (!charge.paid) throw invalidRequest(`Charge ${id} was not successful and cannot be refunded.`);
  if (left === 0) throw invalidRequest(`Charge ${id} has already been refunded.`, { code: 'charge_already_refunded' });
  const refunded = amount ?? left;
  if (refunded > left) {
    throw invalidRequest(`Refund amount (${refunded}) is greater than unrefunded amount on charge (${left}).`, {
      param: 'amount',
      code: 'amount_too_large',
    });
  }
  const method = charge.payment_method ? await store.find('payment_method', charge.payment_method) : null;
  const toBank = method?.type === 'us_bank_account';
  const refund = await store.insert(buildRefund(charge, { amount: refunded, reason, metadata, toBank }, store.now));
  const previous = { amount_refunded: charge.amount_refunded, ...(refunded === left && { refunded: false }) };
  charge.amount_refunded += refunded;
  charge.refunded = charge.amount_refunded === charge.amount_captured;
  await store.save(charge);
  emitEvent(store, 'refund.created', refund);
  emitEvent(store, 'charge.refunded', charge, previous);
  return refund;
}
