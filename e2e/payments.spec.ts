// What a customer does about money, from the shop's checkout to the portal, and what becomes of it: on the account page, at
// the tracking service and on its dashboard.
import { expectNoViolation } from './axe';
import { expect, test } from './fixtures';
import {
  callStripe,
  deliveriesSettle,
  newCustomer,
  openJourney,
  openPortal,
  outcomesOf,
  payByForm,
  salesOf,
  startCheckout,
} from './payment-support';
import { advanceTime, emulators, main, payWith, readTexts } from './support';

const MONTH = 31; // days
const CARD = '4242 4242 4242 4242';

test('a plan that is paid once is one sale, and refunds in parts lower it', async ({ page, request }) => {
  const buyer = await newCustomer(page, 'ada');
  await page.goto(await startCheckout(page, 'studio_lifetime'));
  await payWith(page, CARD);
  await page.waitForURL('**/checkout/success**');
  await expect(main(page).getByText('Lifetime access.')).toBeVisible();
  await page.goto('/pricing');
  await page.getByRole('button', { name: 'Choose Studio lifetime' }).click();
  await page.waitForURL('**/account'); // it is not sold twice

  await deliveriesSettle(request, buyer.email);
  const [sale, ...more] = await salesOf(request, buyer.customer);
  expect(sale).toMatchObject({ amount_cents: 39_900, currency: 'usd', click_id: buyer.clickId, partner_code: 'ada' });
  expect(sale?.transaction_id).toMatch(/^pi_/); // there is no invoice
  expect(more).toEqual([]);

  const payment_intent = sale?.transaction_id ?? '';
  await callStripe(request, '/v1/refunds', { payment_intent, amount: '10000' });
  await deliveriesSettle(request, buyer.email);
  expect(await readTexts(page, '/account')).toMatch(/^Lifetime access\.$/m); // in part: the plan stays
  await callStripe(request, '/v1/refunds', { payment_intent });
  await deliveriesSettle(request, buyer.email);
  expect(await readTexts(page, '/account')).toMatch(/^Refunded$/m);

  const journey = await openJourney(page, buyer);
  for (const title of ['Sale $399.00', 'Refund \u2212$100.00', 'Refund \u2212$299.00']) {
    await expect(journey.getByText(title, { exact: true })).toHaveCount(1);
  }
  expect(await salesOf(request, buyer.customer)).toHaveLength(1);
});

test('a trial is no sale, and what is paid when it ends is one', async ({ page, request }) => {
  const buyer = await newCustomer(page, 'grace');
  await page.goto(await startCheckout(page, 'studio_yearly'));
  await expect(main(page).getByText('14 days free')).toBeVisible();
  await payWith(page, CARD);
  await page.waitForURL('**/checkout/success**');
  await deliveriesSettle(request, buyer.email);
  expect(await readTexts(page, '/account')).toMatch(/^Free until/m);

  expect(await outcomesOf(request, buyer.email, 'invoice.paid')).toMatchObject([
    { outcome: 'ignored', reason: 'zero_amount' },
  ]);
  expect(await outcomesOf(request, buyer.email, 'checkout.session.completed')).toMatchObject([
    { outcome: 'ignored', reason: 'zero_amount' },
  ]);
  const journey = await openJourney(page, buyer);
  await expect(journey.getByText('No payment yet.')).toBeVisible();

  await advanceTime(request, buyer.email, 15);
  await deliveriesSettle(request, buyer.email);
  expect(await salesOf(request, buyer.customer)).toMatchObject([{ amount_cents: 19_000, partner_code: 'grace' }]);
  expect(await readTexts(page, '/account')).toMatch(/^Renews on/m);
  await openJourney(page, buyer);
  await expect(journey.getByText('$190.00')).toHaveCount(1);
});

test('a renewal that fails is past due until a new card pays it, as one sale; canceled now, the plan ends', async ({
  page,
  request,
}) => {
  const buyer = await newCustomer(page, 'ada');
  await payByForm(page.request, await startCheckout(page, 'studio_monthly'), { number: '4000000000000341' });
  await advanceTime(request, buyer.email, MONTH);
  await deliveriesSettle(request, buyer.email);
  const tour = await page.context().newPage();
  await tour.goto(emulators('/tour'));
  const remark = tour.getByText(/^A renewal could not be paid/);
  await expect(remark).toBeVisible();
  await page.goto('/account');
  await expect(main(page).getByText('Payment failed', { exact: true })).toBeVisible();
  await expect(main(page).getByText('The last payment failed. Update your card to keep the plan.')).toBeVisible();
  expect(await salesOf(request, buyer.customer)).toHaveLength(1);

  await openPortal(page);
  await expectNoViolation(page);
  await main(page).getByText('Use another card', { exact: true }).click();
  await main(page).getByLabel('Card number').fill(CARD);
  await main(page).getByLabel('Expiry').fill('12 / 34');
  await main(page).getByLabel('CVC').fill('123');
  await main(page).getByLabel('Name on card').fill('Wanda Walker');
  await page.getByRole('button', { name: 'Save card' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'ending in 4242' })).toBeVisible();
  await deliveriesSettle(request, buyer.email);
  await expect(remark).toBeHidden();
  const sales = await salesOf(request, buyer.customer);
  expect(sales.map(({ amount_cents }) => amount_cents)).toEqual([1900, 1900]);
  await page.getByRole('link', { name: 'Return to Larkdesk' }).click();
  await expect(main(page).getByText(/^Renews on/)).toBeVisible();

  await openPortal(page);
  await page.getByRole('link', { name: 'Cancel now' }).click();
  await page.getByRole('button', { name: 'Cancel subscription' }).click();
  await expect(main(page).getByText('Your subscription was canceled.')).toBeVisible();
  await deliveriesSettle(request, buyer.email);
  await page.getByRole('link', { name: 'Return to Larkdesk' }).click();
  await expect(main(page).getByText('Ended', { exact: true })).toBeVisible();
});

test('another plan is paid less what is left of the old one; canceled, it runs to the end of its period', async ({
  page,
  request,
}) => {
  const buyer = await newCustomer(page, 'ada');
  await payByForm(page.request, await startCheckout(page, 'studio_monthly'));
  await advanceTime(request, buyer.email, 10);
  await deliveriesSettle(request, buyer.email);

  await page.goto('/account');
  await openPortal(page);
  await main(page).getByLabel('Change to').selectOption({ label: 'Larkdesk Studio, $190.00 per year' });
  await page.getByRole('button', { name: 'Change plan' }).click();
  await expect(main(page).getByText('Your plan was changed.')).toBeVisible();
  await deliveriesSettle(request, buyer.email);
  const [, change, ...more] = await salesOf(request, buyer.customer);
  const invoice = await callStripe(request, `/v1/invoices/${change?.transaction_id}`);
  expect(invoice).toMatchObject({ billing_reason: 'subscription_update', amount_paid: change?.amount_cents });
  expect(change?.amount_cents).toBeGreaterThan(19_000 - 1900);
  expect(change?.amount_cents).toBeLessThan(19_000);
  expect(more).toEqual([]);
  await page.getByRole('link', { name: 'Return to Larkdesk' }).click();
  await expect(page.getByRole('heading', { name: 'Studio yearly' })).toBeVisible();

  await openPortal(page);
  await page.getByRole('button', { name: 'Cancel at the end of the period' }).click();
  await expect(main(page).getByText('Your subscription will be canceled at the end of the period.')).toBeVisible();
  await deliveriesSettle(request, buyer.email);
  await page.getByRole('link', { name: 'Return to Larkdesk' }).click();
  await expect(main(page).getByText(/^Ends on .* and does not renew\.$/)).toBeVisible();
  await advanceTime(request, buyer.email, 367);
  await deliveriesSettle(request, buyer.email);
  expect(await readTexts(page, '/account')).toMatch(/^Ended$/m);
  expect(await salesOf(request, buyer.customer)).toHaveLength(2);
});
