// Stores an order by bank transfer: path B of the contract, reported once the money has arrived.
// Change in your app: where the bank details are shown.
import { auth } from '@clerk/nextjs/server';
import { readForm, refuse, seeOther } from '@/lib/integration/http';
import { logFailure } from '@/lib/integration/log';
import { findPlan } from '@/lib/integration/plans';
import { listEntitlements } from '@/lib/integration/stripe/holdings';
import { isPaidFor, listTransferEntitlements, requestTransfer } from '@/lib/shop/transfers';

export async function POST(request: Request): Promise<Response> {
  const form = await readForm(request);
  if (typeof form === 'string') return refuse(form);
  const plan = findPlan(form.get('plan'));
  if (!plan) return seeOther('/pricing'); // renamed since the form was shown
  const { userId } = await auth();
  if (!userId) return seeOther(`/checkout?plan=${plan.name}&resume=transfer`);
  try {
    const now = new Date();
    const held = await listEntitlements(userId, { grants: await listTransferEntitlements(userId, now) });
    // As in `startPurchase`: no plan is sold twice. The list of plans says what the customer has.
    if (isPaidFor(plan, held)) return seeOther('/account/plans');
    await requestTransfer(userId, plan, now);
    return seeOther('/account');
  } catch (error) {
    logFailure('bank transfer', error);
    return seeOther(`/checkout?plan=${plan.name}&problem=transfer`);
  }
}
