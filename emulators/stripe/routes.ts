import type { Route } from './route';
import { catalogRoutes } from './routes/catalog';
import { checkoutSessionRoutes } from './routes/checkout-sessions';
import { couponRoutes } from './routes/coupons';
import { customerRoutes } from './routes/customers';
import { disputeRoutes } from './routes/disputes';
import { invoiceRoutes } from './routes/invoices';
import { paymentMethodRoutes } from './routes/payment-methods';
import { paymentRoutes } from './routes/payments';
import { portalRoutes } from './routes/portal';
import { subscriptionRoutes } from './routes/subscriptions';
import { testClockRoutes } from './routes/test-clocks';
import { webhookRoutes } from './routes/webhooks';

/** The whole API. What is not here is answered with 404. */
export const routes: Route[] = [
  ...catalogRoutes,
  ...couponRoutes,
  ...customerRoutes,
  ...checkoutSessionRoutes,
  ...paymentRoutes,
  ...paymentMethodRoutes,
  ...disputeRoutes,
  ...subscriptionRoutes,
  ...invoiceRoutes,
  ...portalRoutes,
  ...testClockRoutes,
  ...webhookRoutes,
];
