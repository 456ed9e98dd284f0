import { checkoutSessionRoutes } from '../resources/checkout-sessions';
import { couponRoutes } from '../resources/coupons';
import { customerRoutes } from '../resources/customers';
import { eventRoutes } from '../resources/events';
import { invoiceRoutes } from '../resources/invoices';
import { paymentRoutes } from '../resources/payments';
import { portalSessionRoutes } from '../resources/portal-sessions';
import { priceRoutes } from '../resources/prices';
import { productRoutes } from '../resources/products';
import { subscriptionRoutes } from '../resources/subscriptions';
import { taxRateRoutes } from '../resources/tax-rates';
import { webhookEndpointRoutes } from '../resources/webhook-endpoints';
import type { Route } from './route';

/** The whole API, line by line. What is not here answers 404 in Stripe's words. */
export const routes: Route[] = [
  ...productRoutes,
  ...priceRoutes,
  ...customerRoutes,
  ...checkoutSessionRoutes,
  ...paymentRoutes,
  ...subscriptionRoutes,
  ...invoiceRoutes,
  ...couponRoutes,
  ...taxRateRoutes,
  ...portalSessionRoutes,
  ...eventRoutes,
  ...webhookEndpointRoutes,
];
