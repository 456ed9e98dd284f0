import { expect, test } from './fixtures';
import { callStripe, deliveriesSettle, newCustomer, payByForm, startCheckout } from './payment-support';
import { main } from './support';

type Ids = { data: { id: string }[] };

test('a subscriber who chooses a subscription again is redirected to the billing portal and not charged twice', async ({
  page,
  request,
}) => {
  const { email } = await newCustomer(page, 'ada');
  const tabs = { studio_monthly: await page.context().newPage(), studio_yearly: await page.context().newPage() };
  for (const [plan, tab] of Object.entries(tabs)) await tab.goto(`/checkout?plan=${plan}`);
  await payByForm(request, await startCheckout(page, 'studio_monthly'));
  await deliveriesSettle(request, email);

  for (const tab of Object.values(tabs)) {
    await tab.getByRole('button', { name: 'Continue to payment' }).click();
    await expect(tab.getByRole('heading', { name: 'Your billing with Larkdesk' })).toBeVisible();
  }
  await page.goto('/checkout?plan=studio_monthly');
  await expect(page).toHaveURL('/account/plans');
  await expect(main(page).getByText('Current plan', { exact: true })).toBeVisible();
  const { data: customers } = await callStripe<Ids>(request, `/v1/customers?email=${encodeURIComponent(email)}`);
  const subscriptions = await callStripe<Ids>(request, `/v1/subscriptions?customer=${customers[0]?.id}`);
  expect(subscriptions.data).toHaveLength(1);

  await page.goto(await startCheckout(page, 'studio_lifetime'));
  await expect(page.getByRole('button', { name: 'Pay $399.00' })).toBeVisible();
  await page.goto('/account?problem=billing');
  await expect(page.getByRole('alert').filter({ hasText: 'Billing could not be opened' })).toBeVisible();
});
