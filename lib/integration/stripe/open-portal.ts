import 'server-only';
import { appEnv } from '@/lib/integration/env';
import { findCustomer } from './customers';
import { stripeClient } from './stripe-client';

/** The address of Stripe's customer portal for the user, or `null` for somebody who never bought anything there. */
export async function openPortal(userId: string): Promise<string | null> {
  const customer = await findCustomer(userId);
  if (!customer) return null;
  const portal = await stripeClient().billingPortal.sessions.create({
    customer,
    return_url: `${appEnv().APP_URL}/account`,
  });
  return portal.url;
}
