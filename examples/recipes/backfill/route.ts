// Stores what was sold before the integration: subscriptions, then with ?of=purchases one-time plans. Run it, then delete this folder.
// Change in your app: how the user of an old subscription or session is found.
import type Stripe from 'stripe';
import { prisma } from '@/lib/db';
import { isScheduler, refuse } from '@/lib/integration/http';
import { stripe } from '@/lib/stripe';
import { backfillPurchases, backfillSubscriptions } from './backfill';

export const maxDuration = 60; // seconds, for one page

export async function POST(request: Request): Promise<Response> {
  if (!isScheduler(request)) return refuse('unauthorized');
  const { searchParams } = new URL(request.url);
  const after = searchParams.get('after');
  const isPurchases = searchParams.get('of') === 'purchases';
  return Response.json({
    after: await (isPurchases ? backfillPurchases(findUser, after) : backfillSubscriptions(findSubscriber, after)),
  });
}

async function findSubscriber({ id: subscription }: Stripe.Subscription): Promise<string | null> {
  const { data } = await stripe.checkout.sessions.list({ subscription, limit: 1 });
  return data[0] ? findUser(data[0]) : null;
}

/** The Clerk user ID for a session from before step 5, when the checkout stored our user ID on it. */
async function findUser({ client_reference_id: id }: Stripe.Checkout.Session): Promise<string | null> {
  const user = id ? await prisma.user.findUnique({ where: { id } }) : null;
  return user?.clerkId ?? null;
}
