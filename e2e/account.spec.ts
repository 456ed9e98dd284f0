// Clerk's account page, and Clerk's own test helpers.
import { clerk, clerkSetup, setupClerkTestingToken } from '@clerk/testing/playwright';
import type { APIRequestContext, Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { callStripe, deliveriesSettle, listDeliveries, payByForm, startCheckout } from './payment-support';
import {
  eventually,
  listEvents,
  newClick,
  newEmail,
  PASSWORD,
  redirectOf,
  signUpByHttp,
  untilCodeIsSent,
} from './support';

const CODE = '424242';

async function openAccountPage(page: Page): Promise<void> {
  await page.goto('/account');
  await page.locator('.cl-userButtonTrigger').click();
  await page.getByRole('button', { name: 'Manage account' }).click();
}

async function deleteAccount(page: Page): Promise<void> {
  await openAccountPage(page);
  await page.getByRole('button', { name: 'Security' }).click();
  await page.getByRole('button', { name: 'Delete account' }).click();
  await page.locator('input[name=deleteConfirmation]').fill('Delete account');
  await page.getByRole('button', { name: 'Delete account' }).last().click();
  await page.waitForURL((url) => url.pathname === '/');
}

/** The account page leads to the sign-in page. */
async function expectSignedOut(page: Page): Promise<void> {
  const account = await page.request.get('/account', { headers: { accept: 'text/html' } });
  expect(redirectOf(await account.text())).toContain('/sign-in?');
}

type List = { data: { id: string; status: string }[] };
type ClerkUser = { primary_email_address_id: string; email_addresses: { id: string; email_address: string }[] };

const primaryAddress = ({ primary_email_address_id, email_addresses }: ClerkUser) =>
  email_addresses.find(({ id }) => id === primary_email_address_id)?.email_address;

/** The webhooks of this kind that were sent about an address, each with the shop's responses. */
async function sentWebhooks(request: APIRequestContext, address: string, type: string) {
  return (await listDeliveries(request, address))
    .filter(({ event_type }) => event_type === type)
    .map(({ body, status }) => ({ ...JSON.parse(body), status }));
}

test('another address that becomes the primary one is a user.updated webhook, and the account stays who it was', async ({
  page,
  request,
}) => {
  const [first, second] = [newEmail(), newEmail()];
  const customer = await signUpByHttp(page, first);
  await openAccountPage(page);
  await page.getByRole('button', { name: 'Add email address' }).click();
  await page.locator('input[name=emailAddress]').fill(second);
  await untilCodeIsSent(page, () => page.getByRole('button', { name: 'Add', exact: true }).click());
  const code = page.getByRole('textbox', { name: /verification code/i });
  await code.fill(CODE);
  await expect(code).toHaveCount(0);
  const row = page.locator('.cl-profileSectionItem').filter({ hasText: second });
  await row.getByRole('menuitem', { name: 'Open menu' }).click();
  // By the keyboard: the menu moves with its row, which slides into the place of the form.
  await page.getByRole('menuitem', { name: 'Set as primary' }).press('Enter');
  await expect(row.getByText('Primary')).toBeVisible();

  // A webhook goes out in the name of the address that was the primary one before.
  const updates = async () => [
    ...(await sentWebhooks(request, first, 'user.updated')),
    ...(await sentWebhooks(request, second, 'user.updated')),
  ];
  await expect
    .poll(async () =>
      (await updates()).filter(({ data, status }) => status === 'delivered' && primaryAddress(data) === second),
    )
    .toEqual([expect.objectContaining({ data: expect.objectContaining({ id: customer }) })]);
});

test('an account that is deleted is a user.deleted webhook, its billing ends, and the tracking service forgets its address', async ({
  page,
  request,
}) => {
  const email = newEmail();
  const clickId = await newClick(request);
  const customer = await signUpByHttp(page, email, clickId);
  await eventually(async () => (await listEvents(request, customer)).map(({ kind }) => kind)).toContain('lead');
  const journey = await page.context().newPage();
  await journey.goto(`/dashboard/customers/${clickId}`);
  await expect(journey.getByText(`"email": "${email}"`)).toHaveCount(1);
  await payByForm(request, await startCheckout(page, 'studio_monthly'));
  await deliveriesSettle(request, email);
  const customers = await callStripe<List>(request, `/v1/customers?email=${encodeURIComponent(email)}`);
  const subscriptions = async () =>
    (await callStripe<List>(request, `/v1/subscriptions?status=all&customer=${customers.data[0]?.id}`)).data;
  expect((await subscriptions()).map(({ status }) => status)).toEqual(['active']);

  await deleteAccount(page);
  await expect
    .poll(async () => (await sentWebhooks(request, email, 'user.deleted')).map(({ status }) => status))
    .toEqual(['delivered']);
  await expect.poll(async () => (await subscriptions()).map(({ status }) => status)).toEqual(['canceled']);
  await expect(async () => {
    await journey.reload();
    await expect(journey.getByText(customer).first()).toBeVisible();
    await expect(journey.getByText(email)).toHaveCount(0);
  }).toPass();
  expect((await listEvents(request, customer)).map(({ kind }) => kind)).toContain('lead');
  await expectSignedOut(page);
});

test("Clerk's own test helpers sign a user in without the form, and out", async ({ page, request }) => {
  const email = newEmail();
  const form = { email_address: email, password: PASSWORD };
  expect((await request.post(`${process.env.CLERK_API_URL}/v1/client/sign_ups`, { form })).ok()).toBe(true);
  await page.goto('/sign-in');
  const publishableKey = await page
    .locator('[data-clerk-publishable-key]')
    .first()
    .getAttribute('data-clerk-publishable-key');
  await clerkSetup({ publishableKey: publishableKey ?? '', dotenv: false });
  await setupClerkTestingToken({ page });
  await clerk.signIn({ page, signInParams: { strategy: 'password', identifier: email, password: PASSWORD } });
  await page.goto('/account');
  await expect(page.getByRole('heading', { name: 'Account' })).toBeVisible();
  await clerk.signOut({ page });
  await expectSignedOut(page);
});
