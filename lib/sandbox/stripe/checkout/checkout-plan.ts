// What a session will create once it is paid. The API shows none of this on the session itself.

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
  /** What the hosted page shows after an attempt that failed. */
  lastAttempt: { email: string; name: string; problem: CheckoutProblem } | null;
};
