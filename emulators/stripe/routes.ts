import type { Route } from './route';
import { checkoutSessionRoutes } from './routes/checkout-sessions';
import { couponRoutes } from './routes/coupons';
import { customerRoutes } from './routes/customers';
import { disputeRoutes } from './routes/disputes';
import { eventRoutes } from './routes/events';
import { invoiceRoutes } from './routes/invoices';
import { paymentMethodRoutes } from './routes/payment-methods';
import { paymentRoutes } from './routes/payments';
import { portalRoutes } from './routes/portal';
import { priceRoutes } from './routes/prices';
import { productRoutes } from './routes/products';
import { subscriptionRoutes } from './routes/subscriptions';
import { taxRateRoutes } from './routes/tax-rates';
import { testClockRoutes } from './routes/test-clocks';
import { webhookEndpointRoutes } from './routes/webhook-endpoints';

/** The whole API. What is not here is answered with 404. */
export const routes: Route[] = [
  ...productRoutes,
  ...priceRoutes,
  ...couponRoutes,
  ...taxRateRoutes,
  ...customerRoutes,
  ...checkoutSessionRoutes,
  ...paymentRoutes,
  ...paymentMethodRoutes,
  ...disputeRoutes,
  ...subscriptionRoutes,
  ...invoiceRoutes,
  ...portalRoutes,
  ...testClockRoutes,
  ...eventRoutes,
  ...webhookEndpointRoutes,
];
