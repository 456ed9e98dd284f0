// The walks through the recipes of docs/recipes.md, each by its title there.
import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { until } from './parties.mjs';
import { arrive, eventsOf, expectLead, PASSWORD, pay, signUp, untilClick, untilPlan, untilUser } from './walk.mjs';

/** @typedef {import('./walk.mjs').Parties} Parties */
/** @typedef {import('./walk.mjs').Customer} Customer */
/** @typedef {{ parties: Parties, appUrl: string, env: Record<string, string>, customer: Customer }} Recipe */

/** The next sale of the customer has this amount and their click. @param {Recipe} recipe @param {() => Promise<unknown>} buy @param {number} amount */
async function sells({ parties, customer }, buy, amount) {
  const { length } = await eventsOf(parties, customer, 'sale');
  await buy();
  const sales = await until(
    'the sale',
    () => eventsOf(parties, customer, 'sale'),
    (found) => found.length > length,
  );
  const { click_id, amount_cents } = sales.at(-1) ?? {};
  assert.deepEqual(
    { count: sales.length, click_id, amount_cents },
    { count: length + 1, click_id: customer.clickId, amount_cents: amount },
  );
}

/** @param {import('@playwright/test').APIResponse} response */
async function read(response) {
  assert.ok(response.ok(), `${response.url()} responded ${response.status()}`);
  return response.json();
}

/** What `signIn.sso()` of a form does, for a user who is new. @param {import('./walk.mjs').Visitor} visitor */
async function continueWith({ page }) {
  await page.goto('/custom-sign-up');
  await page.waitForFunction(() => /** @type {any} */ (window).Clerk?.loaded);
  await page.evaluate(() => {
    const sso = { strategy: 'oauth_custom_postbox', redirectUrl: '/account', redirectCallbackUrl: '/sso-callback' };
    void (/** @type {any} */ (window).Clerk.client.signIn.__internal_future.sso(sso));
  });
  await page.getByLabel('Email address').fill(`sso-${randomUUID()}@example.com`);
  await page.getByLabel('First name').fill('Ada');
  await page.getByRole('button', { name: 'Allow' }).click();
  return untilUser(page);
}

/** Signs up over a partner's link whose click is recorded only while the form waits for the emailed code. @param {Recipe} recipe */
async function signUpBeforeClick({ parties, appUrl }) {
  const page = await parties.browser.newPage({ baseURL: appUrl });
  /** @type {() => void} */
  let release = () => {};
  const held = new Promise((resolve) => (release = () => resolve(undefined)));
  await page.route('**/track/click', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/custom-sign-up?aff=ada');
  for (const label of ['Email', 'Password']) await page.getByText(label, { exact: true }).waitFor();
  await page.getByLabel('Email').fill(`late-${randomUUID()}+clerk_test@example.com`);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create the account' }).click();
  await page.getByLabel('Code from the email').fill('424242');
  release();
  const clickId = await untilClick(page);
  await page.getByRole('button', { name: 'Verify the address' }).click();
  return { customer: await untilUser(page), clickId };
}

/** By the headings of docs/recipes.md. @type {Record<string, (recipe: Recipe) => Promise<unknown>>} */
export const RECIPE_WALKS = {
  'Your own sign-up form, with Clerk': async (recipe) => {
    const { parties, appUrl, customer } = recipe;
    await expectLead(parties, customer);
    await expectLead(parties, await signUpBeforeClick(recipe));
    const visitor = await arrive(parties, appUrl);
    await expectLead(parties, { clickId: visitor.clickId, customer: await continueWith(visitor) });
  },
  'No Clerk: Better Auth, Auth.js, or your own': async ({ parties, appUrl }) => {
    // Auth.js also creates users without an email address.
    for (const multipart of [{ email: 'ada@example.com' }, { name: 'Ada' }]) {
      const { page, clickId } = await arrive(parties, appUrl);
      const response = await page.request.post('/api/register', { multipart });
      await expectLead(parties, { customer: (await read(response)).id, clickId });
    }
    // Two visitors request a link for one address. It is opened where there is no cookie.
    const multipart = { email: 'grace@example.com' };
    const visitors = [await arrive(parties, appUrl), await arrive(parties, appUrl)];
    const links = await Promise.all(
      visitors.map(async ({ page }) => (await read(await page.request.put('/api/register', { multipart }))).token),
    );
    const { request } = await parties.browser.newContext({ baseURL: appUrl });
    for (const [index, token] of links.entries()) {
      const { id } = await read(await request.post('/api/register', { multipart: { token } }));
      await expectLead(parties, { customer: id, clickId: visitors[index]?.clickId ?? '' });
    }
  },
  'Another payment provider: path B': async (recipe) => {
    const { parties, customer, env } = recipe;
    const payment = { id: `pay_${randomUUID()}`, userId: customer.customer, amount: 2500, currency: 'EUR' };
    const send = async (/** @type {string} */ type, change = {}, secret = env.PAYMENTS_WEBHOOK_SECRET ?? '') => {
      const data = JSON.stringify({ type, ...payment, ...change });
      const signature = createHmac('sha256', secret).update(data).digest('hex');
      const headers = { 'x-signature': signature, 'content-type': 'application/json' };
      return (await customer.page.request.post('/api/webhooks/payments', { data, headers })).status();
    };
    assert.equal(await send('payment.succeeded', {}, 'another secret'), 400);
    const before = await eventsOf(parties, customer, 'sale');
    assert.equal(await send('payment.failed'), 200);
    for (const userId of [undefined, { not: '' }]) assert.equal(await send('payment.succeeded', { userId }), 200);
    assert.deepEqual(await eventsOf(parties, customer, 'sale'), before);
    const twice = async () => {
      for (let delivery = 1; delivery <= 2; delivery++) assert.equal(await send('payment.succeeded'), 200);
    };
    await sells(recipe, twice, 2500);
  },
  'Checkout as a server action': (recipe) =>
    sells(
      recipe,
      async () => {
        await recipe.customer.page.goto('/buy');
        await recipe.customer.page.getByRole('button', { name: 'Buy Pro by action' }).click();
        await pay(recipe.customer);
      },
      1900,
    ),
  'Payment Element and the Subscriptions API': async (recipe) => {
    const { parties, appUrl, customer } = recipe;
    const { request } = customer.page;
    const payOnce = async () => {
      const { id, client_secret } = await read(await request.post('/api/pay'));
      assert.match(client_secret, new RegExp(`^${id}_secret_`));
      // What Stripe.js sends for the Payment Element.
      const confirmation = { payment_method: 'pm_card_visa', return_url: `${appUrl}/account` };
      await parties.stripe('POST', `payment_intents/${id}/confirm`, confirmation);
    };
    await sells(recipe, payOnce, 4900);
    const put = () => request.put('/api/pay', { multipart: { payment_method: 'pm_card_visa' } });
    const buy = async (/** @type {string} */ leadsTo) => {
      await customer.page.goto('/buy');
      await customer.page.getByRole('button', { name: 'Buy Pro by action' }).click();
      await customer.page.waitForURL(leadsTo);
    };
    await buy('**/stripe/portal/**');
    assert.equal((await put()).status(), 409); // the server action has sold a subscription
    const { data } = await parties.stripe('GET', 'subscriptions?limit=1');
    await parties.stripe('DELETE', `subscriptions/${data[0].id}`);
    await buy('**/stripe/checkout/**');
    const readOpen = () => parties.stripe('GET', `checkout/sessions?customer=${data[0].customer}&status=open`);
    assert.equal((await readOpen()).data.length, 1);
    const subscribe = async () => {
      const { id, status } = await read(await put());
      assert.equal(status, 'active');
      assert.deepEqual((await readOpen()).data, []); // it could be paid, for a second subscription
      const { metadata } = await parties.stripe('GET', `subscriptions/${id}`);
      const keys = { svc_click_id: customer.clickId, svc_customer_key: customer.customer };
      assert.deepEqual(metadata, { ...keys, program_id: parties.program.NEXT_PUBLIC_SVC_PROGRAM_ID });
    };
    await sells(recipe, subscribe, 1900);
  },
  'Pages Router': async ({ parties, appUrl }) => {
    const { page, clickId } = await arrive(parties, appUrl, '/classic');
    await page.reload(); // the click may have been recorded after the page stopped waiting for it
    await page.getByText(`Click: ${clickId}`).waitFor();
    await expectLead(parties, await signUp({ page, clickId }));
  },
  'Existing subscriptions': async ({ parties, appUrl, env }) => {
    const { page, customer: user } = await signUp(await arrive(parties, appUrl));
    const { id: customer } = await parties.stripe('POST', 'customers', {});
    await parties.stripe('POST', 'payment_methods/pm_card_visa/attach', { customer });
    const { data } = await parties.stripe('GET', 'prices?lookup_keys[0]=pro_monthly');
    const { data: methods } = await parties.stripe('GET', `customers/${customer}/payment_methods`);
    const subscription = { customer, 'items[0][price]': data[0].id, default_payment_method: methods[0].id };
    await parties.stripe('POST', 'subscriptions', subscription); // one without a Checkout session
    await parties.stripe('POST', 'subscriptions', { ...subscription, 'metadata[svc_customer_key]': user });
    await untilPlan(page, 'none');
    const backfill = (/** @type {string} */ secret, query = '') => {
      const headers = { authorization: `Bearer ${secret}` };
      return page.request.post(`/api/cron/backfill${query}`, { headers });
    };
    assert.equal((await backfill('another secret')).status(), 401);
    for (const query of ['', '?of=purchases']) {
      assert.deepEqual(await read(await backfill(env.CRON_SECRET ?? '', query)), { after: null });
    }
    await untilPlan(page, 'pro_monthly');
  },
};

/** @param {Parties} parties @param {string} appUrl @param {Record<string, string>} env @param {(title: string) => void} report */
export async function walkRecipes(parties, appUrl, env, report) {
  const form = { path: '/custom-sign-up', emailField: 'email' };
  const customer = await signUp(await arrive(parties, appUrl), form);
  for (const [title, walk] of Object.entries(RECIPE_WALKS)) {
    await walk({ parties, appUrl, env, customer });
    report(`  ${title}`);
  }
}
