import { newId } from '../api/new-id';
import type { ApiObject } from '../wire';

type NewRefund = {
  amount: number;
  reason: ApiObject<'refund'>['reason'];
  metadata: Record<string, string>;
  /** The charge was a bank debit. */
  toBank: boolean;
};

export function buildRefund(charge: ApiObject<'charge'>, given: NewRefund, now: number): ApiObject<'refund'> {
  return {
    id: newId('re'),
    object: 'refund',
    amount: given.amount,
    balance_transaction: null,
    charge: charge.id,
    created: now,
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: given.toBank
      ? { type: 'us_bank_transfer', us_bank_transfer: { reference: null, reference_status: 'pending' } }
      : {
          type: 'card',
          card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
        },
    metadata: given.metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: given.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  };
}
