// Refunds: back to the card or bank account, unless the bank refuses them.
import { invalidRequest } from '../errors';
import { buildRefund } from '../objects/payments';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import { behaviorOf } from './payment-methods';

const DAY = 86_400;

type Wanted = {
  amount?: number | undefined;
  reason: ApiObject<'refund'>['reason'];
  metadata: Record<string, string>;
};

/** Refunds what is left of a charge, or part of it. */
export async function refundCharge(
  store: Store,
  charge: ApiObject<'charge'>,
  { amount, reason, metadata }: Wanted,
): Promise<ApiObject<'refund'>> {
  const { id, customer } = charge;
  await store.enterOwner(customer);
  store.enterPayer(charge);
  const left = charge.amount - charge.amount_refunded;
  if (!charge.paid || !charge.captured) {
    throw invalidRequest(`Charge ${id} was not successful and cannot be refunded.`);
  }
  if (charge.disputed) {
    throw invalidRequest(`Charge ${id} has been charged back; cannot issue a refund.`, { code: 'charge_disputed' });
  }
  if (left === 0) throw invalidRequest(`Charge ${id} has already been refunded.`, { code: 'charge_already_refunded' });
  const refunded = amount ?? left;
  if (refunded > left) {
    throw invalidRequest(`Refund amount (${refunded}) is greater than unrefunded amount on charge (${left}).`, {
      param: 'amount',
      code: 'amount_too_large',
    });
  }
  const method = charge.payment_method ? await store.find('payment_method', charge.payment_method) : null;
  const refusesRefunds = method ? (await behaviorOf(store, method)).refusesRefunds : false;
  const isToBank = method?.type === 'us_bank_account';
  const refund = await store.insert(buildRefund(charge, { amount: refunded, reason, metadata, isToBank }, store.now), {
    dueAt: refusesRefunds ? store.now + DAY : null,
  });
  const previous = { amount_refunded: charge.amount_refunded, ...(refunded === left && { refunded: false }) };
  charge.amount_refunded += refunded;
  charge.refunded = charge.amount_refunded === charge.amount;
  await store.save(charge);
  store.emit('refund.created', refund);
  store.emit('charge.refunded', charge, previous);
  return refund;
}

/** The bank refuses the refund: the seller gets the money back, and the charge no longer counts it as refunded. */
export async function failRefund(store: Store, refund: ApiObject<'refund'>): Promise<void> {
  const charge = await store.get('charge', refund.charge ?? '');
  store.enterPayer(charge);
  refund.status = 'failed';
  refund.failure_reason = 'unknown';
  await store.save(refund, { dueAt: null });
  charge.amount_refunded -= refund.amount;
  charge.refunded = false;
  await store.save(charge);
  store.emit('refund.failed', refund);
  store.emit('charge.refund.updated', refund, { status: 'succeeded' });
  store.emit('refund.updated', refund, { status: 'succeeded' });
}
