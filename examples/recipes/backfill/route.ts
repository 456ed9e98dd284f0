// Stores the subscriptions that existed before the integration. Run it once, then delete it.
import type Stripe from 'stripe';
import { prisma } from '@/lib/db';
import { isCron, refuse } from '@/lib/integration/http';
import { backfillSubscriptions } from '@/lib/integration/stripe/fulfil';
import { stripe } from '@/lib/stripe';

export async function POST(request: Request): Promise<Response> {
  if (!isCron(request)) return refuse('unauthorized');
  return Response.json({
    after: await backfillSubscriptions(findUser, new URL(request.url).searchParams.get('after')),
  });
}

/** The Clerk user ID for a subscription sold before step 5. The checkout stored our user ID on its session. */
async function findUser({ id: subscription }: Stripe.Subscription): Promise<string | null> {
  const { data } = await stripe.checkout.sessions.list({ subscription, limit: 1 });
  const id = data[0]?.client_reference_id;
  const user = id ? await prisma.user.findUnique({ where: { id } }) : null;
  return user?.clerkId ?? null;
}
