import { auth, currentUser } from '@clerk/nextjs/server';
import {
  type AttributedSessionParams,
  attributionMetadata,
  createAttributedSession,
} from '@/lib/integration/attribution-metadata';
import { findClickId } from '@/lib/integration/click-id';
import { appEnv, publicEnv } from '@/lib/integration/env';
import { startSubscription } from '@/lib/integration/stripe/checkout';
import { ensureCustomer } from '@/lib/integration/stripe/customer';
import { prisma } from '../../../lib/db';
import { findPrice, stripe } from '../../../lib/stripe';

export async function POST(): Promise<Response> {
  const user = await currentUser();
  if (!user) return new Response('Sign in first.', { status: 401 });
  const where = { clerkId: user.id };
  const { id } = await prisma.user.upsert({ where, create: where, update: {} });
  const { actor } = await auth();
  const attribution = attributionMetadata({
    clickId: await findClickId(user, actor),
    customerExternalId: user.id,
    programId: publicEnv().NEXT_PUBLIC_SVC_PROGRAM_ID,
  });
  const customer = await ensureCustomer({ userId: user.id, email: user.primaryEmailAddress?.emailAddress });
  const params: AttributedSessionParams = {
    mode: 'subscription',
    customer,
    client_reference_id: id,
    line_items: [{ price: await findPrice('pro_monthly'), quantity: 1 }],
    metadata: { ...attribution, plan: 'pro_monthly' },
    subscription_data: { metadata: attribution },
    success_url: `${appEnv().APP_URL}/account`,
    cancel_url: `${appEnv().APP_URL}/pricing`,
  };
  // A subscriber is sent to the billing portal: a second subscription would charge twice.
  const { url } = await startSubscription(customer, () => createAttributedSession(stripe, params));
  return Response.redirect(url ?? `${appEnv().APP_URL}/pricing`, 303);
}
