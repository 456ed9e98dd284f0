// What a session will create once it is paid. The API shows none of this on the session itself.

import type { PaymentForm } from './payment-form';

export type CheckoutField =
  | 'email'
  | 'number'
  | 'expiry'
  | 'cvc'
  | 'name'
  | 'account_holder'
  | 'routing_number'
  | 'account_number'
  | 'promotion_code';
export type CheckoutProblem = { field: CheckoutField; message: string };

export type CheckoutPlan = {
  items: { price: string; quantity: number; description: string; taxRates: string[] }[];
  subscription: {
    metadata: Record<string, string>;
    trialDays: number | null;
    description: string | null;
  } | null;
  payment: { metadata: Record<string, string>; description: string | null } | null;
  coupon: string | null;
  promotionCode: string | null;
  /** The intent of a declined attempt: the next one goes on with it. */
  paymentIntent: string | null;
  /** The card that waits for its bank: what was typed, until the customer has answered the bank's page. */
  challenge: PaymentForm | null;
  /** What the hosted page shows after an attempt that failed. */
  lastAttempt: { email: string; name: string; problem: CheckoutProblem } | null;
};
