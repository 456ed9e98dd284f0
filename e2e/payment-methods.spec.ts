// Payments that take more than a card number: a bank's answer that comes days later.
import { expect, test } from './fixtures';
import {
  deliveriesSettle,
  expectNoViolation,
  metadataIn,
  newLead,
  newSession,
  openJourney,
  outcomesOf,
  payByForm,
  salesOf,
  signUpFrom,
  startCheckout,
  subscriptionTo,
} from './payment-support';
import { advanceTime, main } from './support';

const DAYS_UNTIL_THE_BANK_ANSWERS = 4;

test('a bank debit is no sale and no plan before the bank has paid, and both after that', async ({ page, request }) => {
  const buyer = await signUpFrom(page, 'ada');
  await page.goto(await startCheckout(page, 'studio_lifetime'));
  await main(page).getByText('Pay from a bank account').click();
  await main(page).getByLabel('Account holder').fill('Wanda Walker');
  await main(page).getByLabel('Routing number').fill('110000000');
  await main(page).getByLabel('Account number').fill('000123456789');
  await page.getByRole('button', { name: 'Debit this account' }).click();
  await page.waitForURL('**/checkout/success**');
  await expect(main(page).getByText(/^Your payment is being confirmed\./)).toBeVisible();
  expect(await outcomesOf(request, buyer.email, 'checkout.session.completed')).toMatchObject([{ reason: 'unpaid' }]);
  expect(await salesOf(request, buyer.customer)).toEqual([]);

  await advanceTime(request, buyer.email, DAYS_UNTIL_THE_BANK_ANSWERS);
  await deliveriesSettle(request, buyer.email);
  expect(await salesOf(request, buyer.customer)).toMatchObject([{ amount_cents: 39_900, click_id: buyer.clickId }]);
  await page.goto('/account');
  await expect(main(page).getByText('Yours for good.')).toBeVisible();
});

test('a bank debit that the bank refuses is never a sale', async ({ page, request, baseURL }) => {
  const buyer = await newLead(request);
  const session = await newSession(request, baseURL ?? '', {
    ...(await subscriptionTo(request, 'studio_monthly')),
    ...metadataIn(['metadata', 'subscription_data[metadata]'], buyer),
    customer_email: buyer.email,
  });
  await page.goto(session.url);
  await main(page).getByText('Pay from a bank account').click();
  await main(page).getByLabel('Account holder').fill('Wanda Walker');
  await main(page).getByLabel('Routing number').fill('110000000');
  await main(page).getByLabel('Account number').fill('123');
  await main(page).getByLabel('Account number').press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'Enter your account number.' })).toBeVisible();
  await expectNoViolation(page);

  const closed = { account_holder: 'Wanda', routing_number: '110000000', account_number: '000111111113' };
  await payByForm(request, session.url, { ...closed, number: '', method: 'us_bank_account' });
  await advanceTime(request, buyer.email, 30);
  await deliveriesSettle(request, buyer.email);
  expect(await outcomesOf(request, buyer.email, 'invoice.payment_failed')).toMatchObject(
    Array(4).fill({ outcome: 'ignored' }), // asked four times, then given up
  );
  expect(await salesOf(request, buyer.customer)).toEqual([]);
  const journey = await openJourney(page, buyer);
  await expect(journey.getByText('No payment yet.')).toBeVisible();
});
