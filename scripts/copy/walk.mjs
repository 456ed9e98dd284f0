// The walks through an app that has followed the guide: the funnel, one subscription for each customer, and an outage that ends.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { until } from './parties.mjs';

/** @typedef {Awaited<ReturnType<typeof import('./parties.mjs').startParties>>} Parties */
/** @typedef {import('@playwright/test').Page} Page */
/** @typedef {{ page: Page, clickId: string }} Visitor */
/** @typedef {{ page: Page, clickId: string, customer: string, email: string }} Customer */

const MONTH_SECONDS = 31 * 86_400;
export const PASSWORD = 'correct horse 42';

/** Arrives over a partner's link. @param {Parties} parties @param {string} appUrl @returns {Promise<Visitor>} */
export async function arrive({ browser }, appUrl, path = '/') {
  const context = await browser.newContext({ baseURL: appUrl });
  const page = await context.newPage();
  await page.goto(`${path}?aff=ada`);
  return { page, clickId: await untilClick(page) };
}

/** @param {Page} page @returns {Promise<string>} the click ID, once the service has responded */
export async function untilClick(page) {
  const read = async () => (await page.context().cookies()).find(({ name }) => name === 'svc_click_id')?.value ?? '';
  return decodeURIComponent(await until('the cookie svc_click_id', read, Boolean));
}

/** @param {Page} page @returns {Promise<string>} the ID of the user who has just signed up */
export async function untilUser(page) {
  await page.waitForURL('**/account');
  const user = await page.waitForFunction(() => /** @type {any} */ (window).Clerk?.user?.id);
  return String(await user.jsonValue());
}

/**
 * Signs up with Clerk's form, or with one whose fields have other names.
 * @param {Visitor} visitor @param {{ path: string, emailField: string }} [form]
 * @returns {Promise<Customer>}
 */
export async function signUp(
  { page, clickId },
  { path, emailField } = { path: '/sign-up', emailField: 'emailAddress' },
) {
  const email = `walker-${randomUUID()}@example.com`;
  await page.goto(path);
  await page.locator(`input[name=${emailField}]`).fill(email);
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.locator('input[name=password]').press('Enter');
  return { page, clickId, email, customer: await untilUser(page) };
}

/** @param {Parties} parties @param {Pick<Customer, 'customer'>} customer @param {string} kind */
export const eventsOf = async ({ readEvents }, { customer }, kind) =>
  (await readEvents(customer)).filter((event) => event.kind === kind);

/** @param {Parties} parties @param {Pick<Customer, 'customer' | 'clickId'>} customer */
export async function expectLead(parties, customer) {
  const leads = await until(
    'the lead',
    () => eventsOf(parties, customer, 'lead'),
    (found) => found.length > 0,
  );
  assert.deepEqual(
    leads.map(({ click_id, partner_code }) => ({ click_id, partner_code })),
    [{ click_id: customer.clickId, partner_code: 'ada' }],
  );
}

/** Pays on Stripe's page, which opens next. @param {Customer} customer */
export async function pay({ page, email }) {
  const field = page.getByLabel('Email');
  if (await field.isEditable()) await field.fill(email); // Stripe knows it if the session names a customer
  await page.getByLabel('Card number').fill('4242424242424242');
  await page.getByLabel('Expiry').fill('12 / 34');
  await page.getByLabel('CVC').fill('123');
  await page.getByLabel('Name on card').fill('Wanda Walker');
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await page.waitForURL('**/account');
}

/** Click, sign-up, lead, checkout, sale, renewal. @param {Parties} parties @param {string} appUrl */
export async function walkFunnel(parties, appUrl) {
  const customer = await signUp(await arrive(parties, appUrl));
  await expectLead(parties, customer);
  const { page, email } = customer;
  await page.goto('/pricing');
  await page.getByRole('button', { name: 'Buy Pro' }).click();
  await pay(customer);
  await untilPlan(page, 'pro_monthly');
  const salesOf = () => eventsOf(parties, customer, 'sale');
  await until('the sale', salesOf, ({ length }) => length === 1);
  await parties.control('clock', { advance_seconds: MONTH_SECONDS, customer: email });
  const sales = await until('the renewal', salesOf, ({ length }) => length === 2);
  for (const { click_id, amount_cents } of sales) {
    assert.deepEqual({ click_id, amount_cents }, { click_id: customer.clickId, amount_cents: 1900 });
  }
  return customer;
}

/** Of two payment pages that a customer opened, paying one closes the other. @param {Parties} parties @param {string} appUrl */
export async function walkTwoTabs(parties, appUrl) {
  const customer = await signUp(await arrive(parties, appUrl));
  const other = await customer.page.context().newPage();
  for (const page of [other, customer.page]) {
    await page.goto('/pricing');
    await page.getByRole('button', { name: 'Buy Pro' }).click();
    await page.waitForURL('**/stripe/checkout/**');
  }
  const { data } = await parties.stripe('GET', `customers?email=${encodeURIComponent(customer.email)}`);
  const readOpen = () => parties.stripe('GET', `checkout/sessions?customer=${data[0].id}&status=open`);
  assert.equal((await readOpen()).data.length, 2);
  await pay(customer);
  await until('the end of the other session', readOpen, (sessions) => sessions.data.length === 0);
  const subscriptions = await parties.stripe('GET', `subscriptions?customer=${data[0].id}`);
  assert.equal(subscriptions.data.length, 1);
}

/** A subscriber comes to the billing portal instead of a second subscription, and the plan ends with the first. @param {Parties} parties @param {Customer} customer */
export async function walkSubscription(parties, { page, email }) {
  const { data } = await parties.stripe('GET', `customers?email=${encodeURIComponent(email)}`);
  const subscriptions = await parties.stripe('GET', `subscriptions?customer=${data[0].id}`);
  assert.equal(subscriptions.data.length, 1);
  await page.goto('/pricing');
  await page.getByRole('button', { name: 'Buy Pro' }).click();
  await page.waitForURL('**/stripe/portal/**');
  await parties.stripe('DELETE', `subscriptions/${subscriptions.data[0].id}`);
  await untilPlan(page, 'none');
}

/** The customer may return before the webhook arrives. @param {Page} page @param {string} plan */
export async function untilPlan(page, plan) {
  const readPlan = async () => {
    await page.goto('/account');
    return page.getByRole('main').getByText('Plan: ').textContent();
  };
  await until(`the plan ${plan}`, readPlan, (text) => text === `Plan: ${plan}`);
}

/** The `user.created` webhook of a customer, as the emulator delivered it. @param {Parties} parties @param {Customer} customer */
const readDelivery = async ({ control }, { email }) => {
  const { data } = await control(`deliveries?limit=50&customer=${encodeURIComponent(email)}`);
  return data.find((/** @type {{ event_type: string }} */ { event_type: type }) => type === 'user.created');
};

/**
 * Most visitors were not referred: Clerk's webhook gets a success response at once (§7), and the checkout has no click ID, not even an
 * empty one (§2). @param {Parties} parties @param {string} appUrl
 */
export async function walkUnreferred(parties, appUrl) {
  const page = await (await parties.browser.newContext({ baseURL: appUrl })).newPage();
  const customer = await signUp({ page, clickId: '' });
  const readStatus = async () => (await readDelivery(parties, customer))?.attempts[0]?.response_status;
  assert.equal(await until('the response to the webhook', readStatus, Boolean), 200);
  await page.goto('/pricing');
  await page.getByRole('button', { name: 'Buy Pro' }).click();
  await page.waitForURL('**/stripe/checkout/**');
  const { data } = await parties.stripe('GET', 'checkout/sessions?limit=1');
  const { svc_customer_key: key, svc_click_id: clickId } = data[0].metadata;
  assert.deepEqual([key, clickId], [customer.customer, undefined]);
}

/**
 * Clerk's webhook refuses a large body before it checks the signature, whether or not its length is declared, and reads no further.
 * @param {string} appUrl
 */
export async function walkLargeBody(appUrl) {
  const headers = { 'svix-id': 'msg_large', 'svix-timestamp': '0', 'svix-signature': 'v1,none' };
  const send = (/** @type {BodyInit} */ body) =>
    fetch(
      `${appUrl}/api/webhooks/clerk`,
      /** @type {RequestInit} */ ({ method: 'POST', headers, body, duplex: 'half' }),
    );
  const large = 'x'.repeat(64 * 1024 + 1);
  for (const body of [large, new Blob([large]).stream()]) assert.equal((await send(body)).status, 413);
  let isRead = false;
  const chunks = Array.from({ length: 1000 }, () => new Uint8Array(64 * 1024));
  const stream = new ReadableStream({
    pull(controller) {
      const chunk = chunks.pop();
      if (chunk) return controller.enqueue(chunk);
      isRead = true;
      controller.close();
    },
  });
  await send(stream).catch(() => {}); // the connection may be closed before the response is read
  assert.ok(!isRead, 'A body of 64 MB was read to its end.');
}

/**
 * A sign-up while the service is down: the response to Clerk's webhook, and the lead once the service is back.
 * @param {Parties} parties @param {string} appUrl
 * @param {{ response: number, resend: boolean }} level what the level responds with, and whether it needs the webhook again
 */
export async function walkOutage(parties, appUrl, { response, resend }) {
  const visitor = await arrive(parties, appUrl);
  await parties.stopService();
  const customer = await signUp(visitor);
  const delivery = await until(
    `a webhook that got ${response}`,
    () => readDelivery(parties, customer),
    (found) => found?.attempts.some((/** @type {any} */ { response_status: status }) => status === response),
  );
  await parties.resumeService();
  if (resend) await parties.control(`deliveries/${delivery.id}/redeliver`, {});
  await expectLead(parties, customer);
}
