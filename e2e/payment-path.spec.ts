// Path A by itself: payments whose session a shop's server opened, without sign-up and account.
import { randomUUID } from 'node:crypto';
import { expect, test } from './fixtures';
import {
  callStripe,
  deliveriesSettle,
  listDeliveries,
  metadataIn,
  newAttributedSubscription,
  newLead,
  newSession,
  oneOff,
  openJourney,
  outcomesOf,
  payByForm,
  salesOf,
  setDeliveries,
} from './payment-support';
import { advanceTime, emulators, main, payWith } from './support';

test('both paths report one payment: whichever is first, it is one sale, and the service says so to the other', async ({
  request,
  baseURL,
}) => {
  const buyer = await newLead(request);
  const headers = { authorization: `Bearer ${process.env.SVC_API_KEY}` };
  const trackSale = (transaction_id = '') =>
    request.post('/api/v1/track/sale', {
      data: { customer_key: buyer.customer, amount_cents: 1900, transaction_id },
      headers,
    });

  const session = await newAttributedSubscription(request, baseURL ?? '', 'studio_monthly', buyer);
  await payByForm(request, session.url);
  await deliveriesSettle(request, buyer.email);
  const [first] = await salesOf(request, buyer.customer);
  const refused = await trackSale(first?.transaction_id);
  expect([refused.status(), (await refused.json()).code]).toEqual([409, 'duplicate_transaction']);

  // The renewal's webhooks wait, so that the shop's own report is there before them.
  await setDeliveries(request, buyer.email, { delay_seconds: 3600 });
  await advanceTime(request, buyer.email, 31);
  const waiting = (await listDeliveries(request, buyer.email)).filter(({ status }) => status === 'pending');
  const paid = waiting.find(({ event_type }) => event_type === 'invoice.paid');
  const renewal = JSON.parse(paid?.body ?? '{}').data.object.id as string;
  expect((await trackSale(renewal)).status()).toBe(200);
  for (const { id } of waiting) await request.post(emulators(`/control/deliveries/${id}/redeliver`));
  await deliveriesSettle(request, buyer.email);
  expect((await outcomesOf(request, buyer.email, 'invoice.paid')).at(-1)).toMatchObject({ outcome: 'known_sale' });

  const sales = await salesOf(request, buyer.customer);
  expect(sales.map(({ transaction_id }) => transaction_id)).toEqual([first?.transaction_id, renewal]);
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
  expect(await salesOf(request, buyer.customer)).toMatchObject([{ amount_cents: 2800, currency: 'jpy' }]);
  const journey = await openJourney(page, buyer);
  await expect(journey.getByText('Sale ¥2,800', { exact: true })).toBeVisible();
});

test('a promotion code of 20 % lowers the sale to what was paid', async ({ page, request, baseURL }) => {
  const buyer = await newLead(request);
  const coupon = await callStripe<{ id: string }>(request, '/v1/coupons', { percent_off: '20', duration: 'once' });
  const code = `LARK-${randomUUID().slice(0, 8)}`.toUpperCase();
  await callStripe(request, '/v1/promotion_codes', {
    'promotion[type]': 'coupon',
    'promotion[coupon]': coupon.id,
    code,
  });
  const session = await newSession(request, baseURL ?? '', {
    ...oneOff(39_900),
    ...metadataIn(['metadata', 'payment_intent_data[metadata]'], buyer),
    customer_email: buyer.email,
    allow_promotion_codes: 'true',
  });
  await page.goto(session.url);
  await main(page).getByLabel('Promotion code').fill(code);
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(main(page).getByText(`Discount (${code})`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Pay $319.20' })).toBeVisible();
  await payWith(page, '4242 4242 4242 4242');
  await page.waitForURL('**/pricing?paid=**');
  expect(await salesOf(request, buyer.customer)).toMatchObject([{ amount_cents: 31_920, currency: 'usd' }]);
  const journey = await openJourney(page, buyer);
  await expect(journey.getByText('Sale $319.20', { exact: true })).toBeVisible();
});
