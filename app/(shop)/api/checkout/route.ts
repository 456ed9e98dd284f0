// Starts a checkout for the plan that a form names. Takes nothing else: user, price, click and addresses come from the server.
// Change in your app: where a signed-out visitor goes.
import { findBuyer } from '@/lib/integration/clerk/find-buyer';
import { logProblem } from '@/lib/integration/http/log-problem';
import { readForm } from '@/lib/integration/http/read-form';
import { refuse } from '@/lib/integration/http/refuse';
import { seeOther } from '@/lib/integration/http/see-other';
import { findPlan } from '@/lib/integration/plans';
import { startPurchase } from '@/lib/integration/stripe/start-purchase';

export async function POST(request: Request): Promise<Response> {
  const form = await readForm(request);
  if (typeof form === 'string') return refuse(form);
  const plan = findPlan(form.get('plan'));
  if (!plan) return refuse('unknown_plan');
  const buyer = await findBuyer();
  if (!buyer) return seeOther(`/sign-up?plan=${plan.name}`);
  try {
    return seeOther(await startPurchase(buyer, plan, buyer.clickId));
  } catch (error) {
    logProblem('checkout', error);
    return seeOther(`/checkout?plan=${plan.name}&problem=payment`);
  }
}
