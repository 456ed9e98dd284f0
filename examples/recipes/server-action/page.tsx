// Checkout as a server action. It takes no arguments: user and price come from the server, the click ID from the cookie or from sign-up.
// Change in your app: the plan, and the pages that it leads to.
import { auth, currentUser } from '@clerk/nextjs/server';
import { redirect } from 'next/navigation';
import {
  type AttributedSessionParams,
  attributionMetadata,
  createAttributedSession,
} from '@/lib/integration/attribution-metadata';
import { findClickId } from '@/lib/integration/click-id';
import { appEnv, publicEnv } from '@/lib/integration/env';
import { startSubscription } from '@/lib/integration/stripe/checkout';
import { ensureCustomer } from '@/lib/integration/stripe/customer';
import { findPrice, stripe } from '@/lib/stripe';

async function buy(): Promise<void> {
  'use server';
  const { userId, actor } = await auth.protect();
  const user = await currentUser();
  const attribution = attributionMetadata({
    clickId: user && (await findClickId(user, actor)),
    customerExternalId: userId,
    programId: publicEnv().NEXT_PUBLIC_SVC_PROGRAM_ID,
  });
  const customer = await ensureCustomer({ userId, email: user?.primaryEmailAddress?.emailAddress });
  const params: AttributedSessionParams = {
    mode: 'subscription',
    customer,
    line_items: [{ price: await findPrice('pro_monthly'), quantity: 1 }],
    metadata: { ...attribution, plan: 'pro_monthly' },
    subscription_data: { metadata: attribution },
    success_url: `${appEnv().APP_URL}/account`,
  };
  // A subscriber is sent to the billing portal: a second subscription would charge twice.
  const { url } = await startSubscription(customer, () => createAttributedSession(stripe, params));
  redirect(url ?? '/pricing');
}

export default function Buy() {
  return (
    <form action={buy}>
      <button type="submit">Buy Pro by action</button>
    </form>
  );
}
