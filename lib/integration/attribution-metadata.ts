// The three keys by which the tracking service attributes a payment (contract §2, Checkout metadata), and a typed call that puts
// them everywhere they are needed. Change in your app: add your own parameters.
import type Stripe from 'stripe';

declare const written: unique symbol;

/** Only `attributionMetadata()` creates one: an object literal does not compile. */
export type AttributionMetadata = {
  readonly svc_click_id?: string;
  readonly svc_customer_key: string;
  readonly program_id: string;
  readonly [written]: true;
};

type Attribution = {
  /** From the cookie `svc_click_id`, else from sign-up; `null` when the customer was not referred. */
  clickId: string | null;
  /** The same user ID as at sign-up. */
  customerExternalId: string;
  programId: string;
};

/** The three keys, for `metadata` of a Checkout session and of its subscription or payment. */
export function attributionMetadata({ clickId, customerExternalId, programId }: Attribution): AttributionMetadata {
  return {
    ...(clickId && { svc_click_id: clickId }), // left out if there is none, never sent empty
    svc_customer_key: customerExternalId,
    program_id: programId,
  } satisfies Omit<AttributionMetadata, typeof written> as AttributionMetadata;
}

type Params = Stripe.Checkout.SessionCreateParams;
type SubscriptionData = Stripe.Checkout.SessionCreateParams.SubscriptionData;
type PaymentIntentData = Stripe.Checkout.SessionCreateParams.PaymentIntentData;
/** You can add your own keys: `metadata: { ...attribution, plan: 'yearly' }`. */
type Attributed = { metadata: AttributionMetadata & Stripe.MetadataParam };

/**
 * Stripe does not copy session metadata. Without it on the subscription, renewals are not attributed (§4); without it on the
 * payment, refunds are not. So each mode requires both.
 */
export type AttributedSessionParams = Omit<Params, 'mode' | 'metadata' | 'subscription_data' | 'payment_intent_data'> &
  Attributed &
  (
    | { mode: 'subscription'; subscription_data: SubscriptionData & Attributed }
    | { mode: 'payment'; payment_intent_data: PaymentIntentData & Attributed }
  );

/** `stripe.checkout.sessions.create`, which does not compile if the three keys are missing anywhere they are needed. */
export function createAttributedSession(
  stripe: Stripe,
  params: AttributedSessionParams,
  options?: Stripe.RequestOptions,
): Promise<Stripe.Response<Stripe.Checkout.Session>> {
  return stripe.checkout.sessions.create(params, options);
}
