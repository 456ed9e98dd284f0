import { auth, currentUser } from '@clerk/nextjs/server';
import { cookies } from 'next/headers';
import { attributionMetadata, readClickId } from '../../../lib/attribution';
import { prisma } from '../../../lib/db';
import { findPrice, stripe } from '../../../lib/stripe';

export async function POST(): Promise<Response> {
  const user = await currentUser();
  if (!user) return new Response('Sign in first.', { status: 401 });
  const where = { clerkId: user.id };
  const { id } = await prisma.user.upsert({ where, create: where, update: {} });
  const { actor } = await auth(); // an administrator who impersonates the user: the cookie is theirs
  const cookie = actor ? null : (await cookies()).get('svc_click_id')?.value;
  const attribution = attributionMetadata(
    user.id,
    readClickId(cookie) ?? readClickId(user.unsafeMetadata.svc_click_id),
  );
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    client_reference_id: id,
    line_items: [{ price: await findPrice('pro_monthly'), quantity: 1 }],
    metadata: { ...attribution, plan: 'pro_monthly' },
    subscription_data: { metadata: attribution },
    success_url: `${process.env.APP_URL}/account`,
    cancel_url: `${process.env.APP_URL}/pricing`,
  });
  return Response.redirect(session.url ?? `${process.env.APP_URL}/pricing`, 303);
}
