// The objects of a payment: its intent, a charge for each attempt, refunds and disputes.
import { createId } from '../../core/ids';
import type { PaymentFailure } from '../test-cards';
import type { ApiObject } from '../wire';
import { build } from './build';
import { methodTypesOf } from './payment-methods';

export type NewPaymentIntent = {
  amount: number;
  currency: string;
  customer: string | null;
  description: string | null;
  metadata: Record<string, string>;
  captureMethod?: 'automatic' | 'automatic_async' | 'manual' | undefined;
  methodTypes?: string[] | undefined;
  receiptEmail?: string | null | undefined;
  setupFutureUsage?: ApiObject<'payment_intent'>['setup_future_usage'] | undefined;
  automaticMethods?: ApiObject<'payment_intent'>['automatic_payment_methods'] | undefined;
};

export function buildPaymentIntent(given: NewPaymentIntent, now: number): ApiObject<'payment_intent'> {
  const id = createId('pi', 24);
  return build('payment_intent', {
    id,
    amount: given.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    automatic_payment_methods: given.automaticMethods,
    capture_method: given.captureMethod ?? 'automatic_async',
    client_secret: createId(`${id}_secret`, 24),
    confirmation_method: 'automatic',
    created: now,
    currency: given.currency,
    customer: given.customer,
    description: given.description,
    metadata: given.metadata,
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: given.methodTypes ?? methodTypesOf(given.currency),
    receipt_email: given.receiptEmail,
    setup_future_usage: given.setupFutureUsage,
    status: 'requires_payment_method',
  });
}

type ChargeResult = 'succeeded' | 'pending' | PaymentFailure;

/**
 * The charge of a payment attempt, failed ones too. The intent's metadata is copied onto it.
 * @param seller the name on the customer's statement
 */
export function buildCharge(
  intent: ApiObject<'payment_intent'>,
  method: ApiObject<'payment_method'>,
  result: ChargeResult,
  { now, seller }: { now: number; seller: string },
): ApiObject<'charge'> {
  const failure = typeof result === 'string' ? null : result;
  const isCaptured = !failure && intent.capture_method !== 'manual';
  return build('charge', {
    id: createId('ch', 24),
    amount: intent.amount,
    amount_captured: isCaptured ? intent.amount : 0,
    amount_refunded: 0,
    billing_details: method.billing_details,
    calculated_statement_descriptor: seller.toUpperCase().slice(0, 22),
    captured: isCaptured,
    created: now,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_code: failure?.code,
    failure_message: failure?.message,
    fraud_details: {},
    metadata: { ...intent.metadata },
    outcome: outcomeOf(failure),
    paid: result === 'succeeded',
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: detailsOf(method, failure ? null : intent.amount),
    radar_options: {},
    receipt_email: intent.receipt_email,
    refunded: false,
    status: typeof result === 'string' ? result : 'failed',
  });
}

/** The payment method as it was when it was charged. @param authorized null if the bank declined */
function detailsOf(
  { type, card, us_bank_account: account }: ApiObject<'payment_method'>,
  authorized: number | null,
): ApiObject<'charge'>['payment_method_details'] {
  return {
    type,
    ...(card && {
      card: {
        amount_authorized: authorized,
        authorization_code: null,
        brand: card.brand,
        checks: card.checks,
        country: card.country,
        electronic_commerce_indicator: null,
        exp_month: card.exp_month,
        exp_year: card.exp_year,
        fingerprint: card.fingerprint ?? null,
        funding: card.funding,
        installments: null,
        last4: card.last4,
        mandate: null,
        network: card.brand,
        network_transaction_id: null,
        regulated_status: card.regulated_status,
        three_d_secure: null,
        transaction_link_id: null,
        wallet: null,
      },
    }),
    ...(account && {
      us_bank_account: {
        account_holder_type: account.account_holder_type,
        account_type: account.account_type,
        bank_name: account.bank_name,
        fingerprint: account.fingerprint,
        last4: account.last4,
        payment_reference: null,
        routing_number: account.routing_number,
      },
    }),
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

type NewRefund = {
  amount: number;
  reason: ApiObject<'refund'>['reason'];
  metadata: Record<string, string>;
  /** The charge was a bank debit. */
  isToBank: boolean;
};

export function buildRefund(charge: ApiObject<'charge'>, given: NewRefund, now: number): ApiObject<'refund'> {
  return build('refund', {
    id: createId('re', 24),
    amount: given.amount,
    charge: charge.id,
    created: now,
    currency: charge.currency,
    customer: charge.customer,
    destination_details: given.isToBank
      ? { type: 'us_bank_transfer', us_bank_transfer: { reference: null, reference_status: 'pending' } }
      : {
          type: 'card',
          card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
        },
    metadata: given.metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: given.reason,
    status: 'succeeded',
  });
}

const DAY = 86_400;
const DAYS_TO_RESPOND = 7;

const NO_EVIDENCE: ApiObject<'dispute'>['evidence'] = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};

/** The customer's bank takes the payment back until the dispute is decided. */
export function buildDispute(charge: ApiObject<'charge'>, now: number): ApiObject<'dispute'> {
  return build('dispute', {
    id: createId('dp', 24),
    amount: charge.amount_captured,
    balance_transactions: [],
    charge: charge.id,
    created: now,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: { ...NO_EVIDENCE, customer_email_address: charge.billing_details.email },
    evidence_details: {
      due_by: now + DAYS_TO_RESPOND * DAY,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    is_charge_refundable: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: 'fraudulent',
    status: 'needs_response',
  });
}
