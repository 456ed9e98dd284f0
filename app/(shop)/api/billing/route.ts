// "Manage billing": opens Stripe's customer portal. Change in your app: nothing.
import { auth } from '@clerk/nextjs/server';
import { logProblem } from '@/lib/integration/http/log-problem';
import { readForm } from '@/lib/integration/http/read-form';
import { refuse } from '@/lib/integration/http/refuse';
import { seeOther } from '@/lib/integration/http/see-other';
import { openPortal } from '@/lib/integration/stripe/open-portal';

export async function POST(request: Request): Promise<Response> {
  const form = await readForm(request);
  if (typeof form === 'string') return refuse(form);
  const { userId } = await auth();
  if (!userId) return seeOther('/sign-in');
  try {
    return seeOther((await openPortal(userId)) ?? '/pricing');
  } catch (error) {
    logProblem('billing', error);
    return seeOther('/account?problem=billing');
  }
}
