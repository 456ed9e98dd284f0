import { expect, test } from './fixtures';
import { callStripe, deliveriesSettle, newCustomer, payByForm, startCheckout } from './payment-support';
import { main, readTexts } from './support';

type Ids = { data: { id: string }[] };

test('a subscriber who chooses a subscription again is redirected to the billing portal and not charged twice', async ({
  page,
  request,
}) => {
  const { email } = await newCustomer(page, 'ada');
  await page.goto('/checkout?plan=studio_monthly');
  await payByForm(request, await startCheckout(page, 'studio_monthly'));
  await deliveriesSettle(request, email);

  await page.getByRole('button', { name: 'Continue to payment' }).click(); // on the page that was open before the payment
  await expect(page.getByRole('heading', { name: 'Your billing with Larkdesk' })).toBeVisible();
  await startCheckout(page, 'studio_yearly', 'portal');
  await page.goto('/checkout?plan=studio_monthly');
  await expect(page).toHaveURL('/account/plans');
  await expect(main(page).getByText('Current plan', { exact: true })).toBeVisible();
  const { data: customers } = await callStripe<Ids>(request, `/v1/customers?email=${encodeURIComponent(email)}`);
  const subscriptions = await callStripe<Ids>(request, `/v1/subscriptions?customer=${customers[0]?.id}`);
  expect(subscriptions.data).toHaveLength(1);

  await page.goto(await startCheckout(page, 'studio_lifetime'));
  await expect(page.getByRole('button', { name: 'Pay $399.00' })).toBeVisible();
  expect(await readTexts(page, '/account?problem=billing')).toContain('Billing could not be opened');
});
