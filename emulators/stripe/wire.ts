import type Stripe from 'stripe';

/**
 * An SDK type as the API writes it and as we store it: decimals are strings, and expandable fields are IDs.
 * Builders return these, so that a field which a new SDK version requires, and which may not be null, does not compile until
 * it is there.
 */
export type Wire<T> = T extends Stripe.Decimal
  ? string
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends (infer Item)[]
      ? WireField<Item>[]
      : T extends object
        ? { [Key in keyof T]: WireField<T[Key]> }
        : T;

type WireField<T> = [T] extends [Stripe.Decimal | null | undefined]
  ? Wire<T>
  : string extends T
    ? Wire<Exclude<T, object>>
    : Wire<T>;

/** Every kind of object in the account, by its `object`. */
export type StripeObjects = {
  'billing_portal.configuration': Wire<Stripe.BillingPortal.Configuration>;
  'billing_portal.session': Wire<Stripe.BillingPortal.Session>;
  charge: Wire<Stripe.Charge>;
  'checkout.session': Wire<Stripe.Checkout.Session>;
  coupon: Wire<Stripe.Coupon>;
  credit_note: Wire<Stripe.CreditNote>;
  customer: Wire<Stripe.Customer>;
  /** A coupon that was deleted, for the discounts that it has given. */
  deleted_coupon: Wire<Stripe.Coupon>;
  /** What is left of a deleted customer; the API calls it a customer, too. */
  deleted_customer: Wire<Stripe.DeletedCustomer>;
  customer_balance_transaction: Wire<Stripe.CustomerBalanceTransaction>;
  discount: Wire<Stripe.Discount>;
  dispute: Wire<Stripe.Dispute>;
  event: WireEvent;
  invoice: Wire<Stripe.Invoice>;
  invoice_payment: Wire<Stripe.InvoicePayment>;
  invoiceitem: Wire<Stripe.InvoiceItem>;
  payment_intent: Wire<Stripe.PaymentIntent>;
  payment_method: Wire<Stripe.PaymentMethod>;
  price: Wire<Stripe.Price>;
  product: Wire<Stripe.Product>;
  promotion_code: Wire<Stripe.PromotionCode>;
  refund: Wire<Stripe.Refund>;
  subscription: Wire<Stripe.Subscription>;
  tax_rate: Wire<Stripe.TaxRate>;
  'test_helpers.test_clock': Wire<Stripe.TestHelpers.TestClock>;
  webhook_endpoint: Wire<Stripe.WebhookEndpoint>;
};

export type ObjectType = keyof StripeObjects;
export type AnyStripeObject = StripeObjects[Exclude<ObjectType, 'deleted_customer'>];
export type ApiObject<Type extends ObjectType> = StripeObjects[Type];

export type WireEvent = {
  id: string;
  object: 'event';
  api_version: string | null;
  created: number;
  data: { object: unknown; previous_attributes?: unknown };
  livemode: boolean;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
};
