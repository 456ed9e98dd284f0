// Starts a checkout for the plan named in a form, which otherwise says only whether the page has posted before. User, price and URLs
// come from the server, the click ID from the cookie or from sign-up.
// Change in your app: the pages it leads to. Without a session that has to be a page: Clerk cannot renew one during a POST.
import { isClerkAPIResponseError } from '@clerk/nextjs/errors';
import { auth, currentUser, type User } from '@clerk/nextjs/server';
import { findClickId } from '@/lib/integration/click-id';
import { readForm, refuse, seeOther, within } from '@/lib/integration/http';
import { logFailure } from '@/lib/integration/log';
import { findPlan } from '@/lib/integration/plans';
import { startPurchase } from '@/lib/integration/stripe/checkout';

/** The SDK has no timeout. */
const CLERK_LIMIT_MS = 3000;

export async function POST(request: Request): Promise<Response> {
  const form = await readForm(request);
  if (typeof form === 'string') return refuse(form);
  const plan = findPlan(form.get('plan'));
  if (!plan) return seeOther('/pricing'); // renamed since the form was shown
  const { userId, actor } = await auth();
  if (!userId) {
    const isRepeat = form.has('resumed'); // the page has already posted again
    return seeOther(isRepeat ? `/sign-up?plan=${plan.name}` : `/checkout?plan=${plan.name}&resume=payment`);
  }
  try {
    const user = await readUser();
    const buyer = { id: userId, unsafeMetadata: user?.unsafeMetadata };
    const clickId = await findClickId(buyer, actor); // a settled customer keeps the first click, whatever this is
    const email = user?.primaryEmailAddress?.emailAddress;
    return seeOther(await startPurchase({ userId, email, clickId }, plan));
  } catch (error) {
    logFailure('checkout', error);
    return seeOther(`/checkout?plan=${plan.name}&problem=payment`);
  }
}

/** The user, or `null` if Clerk's API does not respond: the session identifies the buyer, so the checkout works without the record. */
async function readUser(): Promise<User | null> {
  try {
    return await within(CLERK_LIMIT_MS, currentUser());
  } catch (error) {
    if (isClerkAPIResponseError(error) && error.status === 404) throw error; // deleted after the session token was issued
    logFailure('checkout: reading the user', error);
    return null;
  }
}
