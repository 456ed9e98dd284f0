// Checkout as a server action. It takes nothing from the browser: the user, the price and the click come from the server.
import { auth, currentUser } from '@clerk/nextjs/server';
import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import { attributionMetadata, createAttributedSession } from '@/lib/integration/attribution-metadata';
import { clickIdOf, readClickId } from '@/lib/integration/click-id';
import { appEnv, publicEnv } from '@/lib/integration/env';
import { isSubscriber, listSubscriptions } from '@/lib/integration/stripe/checkout';
import { ensureCustomer } from '@/lib/integration/stripe/customer';
import { findPrice, stripe } from '@/lib/stripe';

async function buy(): Promise<void> {
  'use server';
  const { userId } = await auth.protect();
  const user = await currentUser();
  const cookie = (await cookies()).get('svc_click_id')?.value;
  const attribution = attributionMetadata({
    clickId: readClickId(cookie, `the cookie of ${userId}`) ?? (user && clickIdOf(user)),
    customerExternalId: userId,
    programId: publicEnv().NEXT_PUBLIC_SVC_PROGRAM_ID,
  });
  const customer = await ensureCustomer({ userId, email: user?.primaryEmailAddress?.emailAddress });
  if (isSubscriber(await listSubscriptions(customer))) redirect('/account'); // a second one would charge twice
  const session = await createAttributedSession(stripe, {
    mode: 'subscription',
    customer,
    line_items: [{ price: await findPrice('pro_monthly'), quantity: 1 }],
    metadata: { ...attribution, plan: 'pro_monthly' },
    subscription_data: { metadata: attribution },
    success_url: `${appEnv().APP_URL}/account`,
  });
  redirect(session.url ?? '/pricing');
}

export default function Buy() {
  return (
    <form action={buy}>
      <button type="submit">Buy Pro by action</button>
    </form>
  );
}
