// The funnel in test mode, on the real providers if you have keys: the three keys arrive on the session, the subscription
// and every invoice (contract §2, Checkout metadata), and the relay brings the events that settle the lead and store the plan.
import { clerkSetup, setupClerkTestingToken } from '@clerk/testing/playwright';
import { expect, test } from '@playwright/test';
import type Stripe from 'stripe';
import { PLANS } from '@/lib/integration/plans';
import {
  advanceClock,
  createCustomerOnClock,
  deleteUser,
  newTestAddress,
  payWithTestCard,
  readUser,
  signUp,
  stripe,
  watchPages,
} from './providers';
import { isServiceHere, readKinds } from './service-events'; // part: service

const HOUR = 3_600;
/** A partner of the demo program; name one of your own for a remote tracking service. */
const PARTNER = process.env.TEST_PARTNER || 'ada';
const monthly = PLANS.find((plan) => plan.interval === 'month' && !('trialDays' in plan));
const programId = process.env.NEXT_PUBLIC_SVC_PROGRAM_ID || 'prg_demo';
const publishableKey = process.env.NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY ?? '';

type InvoiceKeys = {
  reason: Stripe.Invoice.BillingReason | null;
  status: string | null;
  keys: Stripe.Metadata | undefined;
};

// part: emulators
/** An entry of the trace's HAR file; its comment says from where to where. */
type TracedCall = { comment: string; request: { method: string }; response: { status: number } };
// end: emulators

/** A subscription's invoices, oldest first. */
async function readInvoices(subscription: string): Promise<InvoiceKeys[]> {
  const { data } = await stripe.invoices.list({ subscription });
  return data.reverse().map(({ billing_reason: reason, status, parent }) => ({
    reason,
    status,
    keys: parent?.subscription_details?.metadata ?? undefined,
  }));
}

/** What the walk has made at the providers, and removes however it ends. */
const removals: Array<() => Promise<unknown>> = [];
test.afterEach(async () => {
  for (const remove of removals.splice(0).reverse()) await remove();
});

test('a visitor becomes a lead, pays, and renews on a test clock; the three keys are everywhere', async ({
  page,
  baseURL,
}) => {
  const problems = watchPages(page, baseURL ?? '');
  const email = newTestAddress();

  const clickId = await test.step('the partner’s link leaves a click ID', async () => {
    await page.goto(`/?aff=${PARTNER}`);
    const read = async () => (await page.context().cookies()).find(({ name }) => name === 'svc_click_id')?.value ?? '';
    await expect.poll(read).not.toBe('');
    return decodeURIComponent(await read());
  });

  const userId = await test.step('an address with +clerk_test signs up with the code 424242', async () => {
    await clerkSetup({ publishableKey, dotenv: false });
    await setupClerkTestingToken({ page });
    await page.goto('/sign-up');
    return signUp(page, email);
  });
  removals.push(() => deleteUser(userId));
  const keys = { svc_click_id: clickId, svc_customer_key: userId, program_id: programId };

  await test.step('Clerk has the click ID, and the lead is settled through the relay', async () => {
    expect((await readUser(userId)).unsafe_metadata).toMatchObject({ svc_click_id: clickId });
    // part: service
    if (isServiceHere) await expect.poll(() => readKinds(page, userId)).toContain(`lead ${PARTNER}`);
    // end: service
  });

  const { clock, customer } = await createCustomerOnClock(userId, email);
  removals.push(() => stripe.testHelpers.testClocks.del(clock)); // with its customer and subscription

  const session = await test.step('Checkout takes 4242, and the session has the three keys', async () => {
    await page.goto('/pricing');
    await page
      .getByRole('button', { name: new RegExp(monthly?.label ?? '', 'i') })
      .first()
      .click();
    await payWithTestCard(page);
    await page.waitForURL('**/checkout/success**', { timeout: 120_000 });
    const [paid] = (await stripe.checkout.sessions.list({ customer, limit: 1 })).data;
    expect(paid).toMatchObject({ status: 'complete', metadata: keys });
    return paid;
  });

  // part: emulators
  await test.step('the trace has the shop’s calls to Clerk and Stripe, which pass through this machine', async () => {
    const readCalls = async (q: string) => {
      const response = await page.request.get(`${process.env.EMULATORS_URL}/trace.har`, { params: { q } });
      const { log } = (await response.json()) as { log: { entries: TracedCall[] } };
      return log.entries.map(({ comment, request, response }) => `${comment}: ${request.method} ${response.status}`);
    };
    expect(await readCalls('/v1/checkout/sessions')).toContain('app to stripe: POST 200');
    expect(await readCalls('/clerk/v1/')).toContain('app to clerk: GET 200');
  });
  // end: emulators

  const subscription = String(session?.subscription);
  const periodEnd = await test.step('so have the subscription and its first invoice', async () => {
    const { metadata, items } = await stripe.subscriptions.retrieve(subscription);
    expect(metadata).toMatchObject(keys);
    expect(await readInvoices(subscription)).toEqual([
      { reason: 'subscription_create', status: 'paid', keys: expect.objectContaining(keys) },
    ]);
    return items.data[0]?.current_period_end ?? 0;
  });

  await test.step('the plan is active once the relay has brought Stripe’s events', async () => {
    await expect(async () => {
      await page.goto('/account');
      await expect(
        page
          .getByRole('main')
          .getByText(/active/i)
          .first(),
      ).toBeVisible({ timeout: 5_000 });
    }).toPass();
    // part: service
    if (isServiceHere) await expect.poll(() => readKinds(page, userId)).toContain(`sale ${PARTNER}`);
    // end: service
  });

  await test.step('a month later the renewal’s invoice has them, too', async () => {
    await advanceClock(clock, periodEnd + 2 * HOUR); // Stripe finalizes a renewal's invoice after about an hour
    await expect
      .poll(async () => (await readInvoices(subscription)).map(({ status }) => status), { timeout: 120_000 })
      .toEqual(['paid', 'paid']);
    expect((await readInvoices(subscription))[1]).toEqual({
      reason: 'subscription_cycle',
      status: 'paid',
      keys: expect.objectContaining(keys),
    });
    // part: service
    const sales = async () => (await readKinds(page, userId)).filter((kind) => kind === `sale ${PARTNER}`);
    if (isServiceHere) await expect.poll(sales).toHaveLength(2);
    // end: service
  });

  expect(problems, 'no console error, page error or request to another host on the app’s pages').toEqual([]);
});
