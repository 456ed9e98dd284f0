// Payments that are more than a price and a card: a bank's answer, at once or days later, and taxes.
import { expectNoViolation } from './axe';
import { expect, test } from './fixtures';
import {
  callStripe,
  deliveriesSettle,
  type InvoicePayments,
  newAttributedSubscription,
  newCustomer,
  newLead,
  openJourney,
  outcomesOf,
  payByForm,
  salesOf,
  startCheckout,
} from './payment-support';
import { advanceTime, main, payWith } from './support';

const DAYS_UNTIL_THE_DEBIT_CLEARS = 4;

test('a bank debit is no sale and no plan before the bank has paid, and both after that', async ({ page, request }) => {
  const buyer = await newCustomer(page, 'ada');
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

  await advanceTime(request, buyer.email, DAYS_UNTIL_THE_DEBIT_CLEARS);
  await deliveriesSettle(request, buyer.email);
  expect(await salesOf(request, buyer.customer)).toMatchObject([{ amount_cents: 39_900, click_id: buyer.clickId }]);
  await page.goto('/account');
  await expect(main(page).getByText('Lifetime access.')).toBeVisible();
});

test('a bank debit that the bank refuses is never a sale', async ({ page, request, baseURL }) => {
  const buyer = await newLead(request);
  const session = await newAttributedSubscription(request, baseURL ?? '', 'studio_monthly', buyer);
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

test('a sale is what was paid less tax, and a refund lowers it by its share', async ({ page, request, baseURL }) => {
  const buyer = await newLead(request);
  const rate = await callStripe<{ id: string }>(request, '/v1/tax_rates', {
    display_name: 'VAT',
    percentage: '20',
    inclusive: 'false',
  });
  const session = await newAttributedSubscription(request, baseURL ?? '', 'studio_monthly', buyer, {
    'line_items[0][tax_rates][0]': rate.id,
  });
  await page.goto(session.url);
  await expect(main(page).getByText('VAT (20%)')).toBeVisible();
  await expect(page.getByRole('definition').filter({ hasText: '$22.80' })).toBeVisible();
  await payByForm(request, session.url);
  await advanceTime(request, buyer.email, 31);
  await deliveriesSettle(request, buyer.email);
  const sales = await salesOf(request, buyer.customer);
  expect(sales.map(({ amount_cents }) => amount_cents)).toEqual([1900, 1900]); // of 2280 each

  const invoices = `/v1/invoice_payments?invoice=${sales[0]?.transaction_id}`;
  const { data: links } = await callStripe<InvoicePayments>(request, invoices);
  const payment_intent = links[0]?.payment.payment_intent ?? '';
  await callStripe(request, '/v1/refunds', { payment_intent, amount: '1140' }); // half of what was paid
  await deliveriesSettle(request, buyer.email);
  const journey = await openJourney(page, buyer);
  for (const title of ['Sale $19.00', 'Renewal $19.00', 'Refund \u2212$9.50']) {
    await expect(journey.getByText(title, { exact: true })).toBeVisible();
  }
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
  await payWith(page, '4000 0025 0000 3155');
  await page.getByRole('button', { name: 'Complete' }).click();
  await page.waitForURL('**/pricing?paid=**');
  await deliveriesSettle(request, buyer.email);
  expect(await salesOf(request, buyer.customer)).toMatchObject([{ amount_cents: 1900, click_id: buyer.clickId }]);
});
