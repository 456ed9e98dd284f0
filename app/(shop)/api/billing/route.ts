// "Manage billing": opens Stripe's billing portal. Change in your app: the pages it leads to.
import { auth } from '@clerk/nextjs/server';
import { readForm, refuse, seeOther } from '@/lib/integration/http';
import { logFailure } from '@/lib/integration/log';
import { findCustomer } from '@/lib/integration/stripe/customer';
import { openPortal } from '@/lib/integration/stripe/portal';

export async function POST(request: Request): Promise<Response> {
  const form = await readForm(request);
  if (typeof form === 'string') return refuse(form);
  const { userId } = await auth();
  if (!userId) return seeOther('/account?resume=billing'); // a page, because Clerk cannot renew a session during a POST
  try {
    const customer = await findCustomer(userId);
    return seeOther(customer ? await openPortal(customer) : '/pricing');
  } catch (error) {
    logFailure('billing', error);
    return seeOther('/account?problem=billing');
  }
}
