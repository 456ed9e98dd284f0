// Starts a checkout for the plan that a form names. Takes nothing else: user, price, click and addresses come from the server.
// Change in your app: where a signed-out visitor goes.
import { currentUser } from '@clerk/nextjs/server';
import { cookies } from 'next/headers';
import { clickIdOf, readClickId } from '@/lib/integration/click-id';
import { logFailure, readForm, refuse, seeOther } from '@/lib/integration/http';
import { findPlan } from '@/lib/integration/plans';
import { startPurchase } from '@/lib/integration/stripe/checkout';

export async function POST(request: Request): Promise<Response> {
  const form = await readForm(request);
  if (typeof form === 'string') return refuse(form);
  const plan = findPlan(form.get('plan'));
  if (!plan) return refuse('unknown_plan');
  const user = await currentUser();
  if (!user) return seeOther(`/sign-up?plan=${plan.name}`);
  // The last click counts; after a sign-in on another device there is only the one that sign-up stored.
  const cookie = (await cookies()).get('svc_click_id')?.value;
  const clickId = readClickId(cookie, `the cookie of ${user.id}`) ?? clickIdOf(user);
  try {
    const buyer = { userId: user.id, email: user.primaryEmailAddress?.emailAddress, clickId };
    return seeOther(await startPurchase(buyer, plan));
  } catch (error) {
    logFailure('checkout', error);
    return seeOther(`/checkout?plan=${plan.name}&problem=payment`);
  }
}
