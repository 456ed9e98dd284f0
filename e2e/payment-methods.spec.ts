// Payments that are more than a price and a card: a bank's answer, at once or days later, another currency, no pointer.
import { expectNoViolation } from './axe';
import { expect, test } from './fixtures';
import {
  deliveriesSettle,
  newAttributedSubscription,
  newCustomer,
  newLead,
  newSession,
  openJourney,
  outcomesOf,
  salesOf,
  startCheckout,
  subscriptionTo,
} from './payment-support';
import { advanceTime, main, newEmail, payWith, readTexts } from './support';

const DAYS_UNTIL_THE_DEBIT_CLEARS = 4;

test('a bank debit is no sale and no plan before the bank has paid, and both after that', async ({ page, request }) => {
  const buyer = await newCustomer(page, 'ada');
  await page.goto(await startCheckout(page, 'studio_lifetime'));
  await main(page).getByText('Pay from a bank account').click();
  await main(page).getByLabel('Account holder').fill('Wanda Walker');
  await main(page).getByLabel('Routing number').fill('110000000');
  await main(page).getByLabel('Account number').fill('123');
  await main(page).getByLabel('Account number').press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'Enter your account number.' })).toBeVisible();
  await expectNoViolation(page);
  await main(page).getByLabel('Account number').fill('000123456789');
  await page.getByRole('button', { name: 'Debit this account' }).click();
  await page.waitForURL('**/checkout/success**');
  await expect(main(page).getByText(/^Your payment is being confirmed\./)).toBeVisible();
  await page.goto('/pricing');
  await page.getByRole('button', { name: 'Choose Studio lifetime' }).click();
  await page.waitForURL('**/checkout/success**'); // no card is charged for it meanwhile
  await expect(main(page).getByText(/^Your payment is being confirmed\./)).toBeVisible();
  await deliveriesSettle(request, buyer.email);
  expect(await outcomesOf(request, buyer.email, 'checkout.session.completed')).toMatchObject([{ reason: 'unpaid' }]);
  expect(await salesOf(request, buyer.customer)).toEqual([]);

  await advanceTime(request, buyer.email, DAYS_UNTIL_THE_DEBIT_CLEARS);
  await deliveriesSettle(request, buyer.email);
  expect(await salesOf(request, buyer.customer)).toMatchObject([{ amount_cents: 39_900, click_id: buyer.clickId }]);
  expect(await readTexts(page, '/account')).toMatch(/^Lifetime access\.$/m);
});

test('a card whose bank asks is paid once the customer has answered, and is one sale', async ({
  page,
  request,
  baseURL,
}) => {
  const buyer = await newLead(request);
  const session = await newAttributedSubscription(request, baseURL ?? '', 'studio_monthly', buyer);
  await page.goto(session.url);
  await payWith(page, '4000 0025 0000 3155');
  await expect(page.getByRole('heading', { name: 'Confirm this payment with your bank' })).toBeVisible();
  await expectNoViolation(page);
  await page.getByRole('button', { name: 'Fail' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'unable to authenticate' })).toBeVisible();
  await expect(main(page).getByLabel('Name on card')).toHaveValue('Wanda Walker');
  await expectNoViolation(page);
  await payWith(page, '4000 0025 0000 3155');
  await page.getByRole('button', { name: 'Complete' }).click();
  await page.waitForURL('**/pricing?paid=**');
  await deliveriesSettle(request, buyer.email);
  expect(await salesOf(request, buyer.customer)).toMatchObject([{ amount_cents: 1900, click_id: buyer.clickId }]);
});

test('yen have no minor unit: 2800 is ¥2,800, on the payment page and on the dashboard', async ({
  page,
  request,
  baseURL,
}) => {
  const buyer = await newLead(request);
  await page.goto('/pricing');
  await expect(main(page).getByText('¥2,800').first()).toBeVisible();
  const session = await newAttributedSubscription(request, baseURL ?? '', 'studio_monthly_jpy', buyer);
  await page.goto(session.url);
  await expect(page.getByRole('definition').filter({ hasText: '¥2,800' })).toBeVisible();
  await payWith(page, '4242 4242 4242 4242');
  await page.waitForURL('**/pricing?paid=**');
  await deliveriesSettle(request, buyer.email);
  expect(await salesOf(request, buyer.customer)).toMatchObject([{ amount_cents: 2800, currency: 'jpy' }]);
  const journey = await openJourney(page, buyer);
  await expect(journey.getByText('Sale ¥2,800', { exact: true })).toBeVisible();
});

test('with the keyboard alone a subscription is paid', async ({ page, request, baseURL }) => {
  const price = await subscriptionTo(request, 'studio_monthly');
  const session = await newSession(request, baseURL ?? '', { ...price, customer_email: newEmail() });
  await page.goto(session.url);
  const cardNumber = main(page).getByLabel('Card number');
  await expect(cardNumber).toBeVisible();
  await cardNumber.focus();
  for (const text of ['4242424242424242', '1234', '123', 'Wanda Walker']) {
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
  await expect(page.getByRole('button', { name: 'Subscribe' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/pricing?paid=**');
});
