import { newId } from '../api/new-id';
import type { PaymentFailure } from '../billing/cards';
import type { ApiObject } from '../wire';

export type ChargeResult = 'succeeded' | 'pending' | PaymentFailure;

/** The charge that a payment attempt leaves behind, failed ones too. The intent's metadata is copied onto it. */
export function buildCharge(
  intent: ApiObject<'payment_intent'>,
  method: ApiObject<'payment_method'>,
  result: ChargeResult,
  now: number,
): ApiObject<'charge'> {
  const failure = typeof result === 'string' ? null : result;
  return {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: failure ? 0 : intent.amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'LARKDESK',
    captured: !failure,
    created: now,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: failure?.code ?? null,
    failure_message: failure?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: { ...intent.metadata },
    on_behalf_of: null,
    outcome: outcomeOf(failure),
    paid: result === 'succeeded',
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: null,
    radar_options: {},
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: typeof result === 'string' ? result : 'failed',
    transfer_data: null,
    transfer_group: null,
  };
}

function outcomeOf(failure: PaymentFailure | null): NonNullable<ApiObject<'charge'>['outcome']> {
  return {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: failure ? 'declined_by_network' : 'approved_by_network',
    reason: failure ? (failure.decline_code ?? failure.code) : null,
    risk_level: 'normal',
    risk_score: 20,
    seller_message: failure ? 'The bank did not return any further details with this decline.' : 'Payment complete.',
    type: failure ? 'issuer_declined' : 'authorized',
  };
}
