// What the funnel does at the providers: Clerk's sign-up form, Stripe's Checkout, both APIs, and what their pages may do.
import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { Pool } from 'pg';
import { connectStripe } from '@/lib/integration/stripe/client';

/** Any email code of such an address is this one. https://clerk.com/docs/testing/test-emails-and-phones */
const CODE = '424242';
export const newTestAddress = () => `walker-${randomUUID()}+clerk_test@example.com`;

const variable = (name: string): string => {
  const value = process.env[name];
  if (value) return value;
  throw new Error(`${name} is not set. Run \`npm run test:test-mode\`, which sets it.`);
};

export const stripe = connectStripe(variable('STRIPE_SECRET_KEY'), process.env.STRIPE_API_URL);

/** Fills Clerk's own form on the page that is open, and resolves with the new user's ID on the welcome page. */
export async function signUp(page: Page, email: string): Promise<string> {
  await page.locator('input[name=emailAddress]').fill(email);
  const password = page.locator('input[name=password]');
  // An instance may do without passwords.
  if (await password.isVisible()) await password.fill(randomUUID());
  await page.locator('input[name=emailAddress]').press('Enter');
  const prepared = page.getByRole('textbox', { name: /verification code/i });
  await prepared.waitFor();
  await expect(async () => {
    if (!page.url().includes('/welcome')) await prepared.fill(CODE, { timeout: 5_000 });
    await page.waitForURL('**/welcome**', { timeout: 15_000 });
  }).toPass();
  const handle = await page.waitForFunction(() => (window as unknown as ClerkWindow).Clerk?.user?.id);
  return String(await handle.jsonValue());
}

type ClerkWindow = { Clerk?: { user?: { id: string } | null } };

type ClerkUser = { unsafe_metadata: Record<string, unknown> };

async function callClerk(path: string, method = 'GET'): Promise<unknown> {
  const address = `${process.env.CLERK_API_URL ?? 'https://api.clerk.com'}/v1${path}`;
  const response = await fetch(address, {
    method,
    headers: { authorization: `Bearer ${variable('CLERK_SECRET_KEY')}` },
  });
  expect(response.ok, `${method} ${path}`).toBe(true);
  return response.json();
}

export const readUser = async (id: string) => (await callClerk(`/users/${id}`)) as ClerkUser;
export const deleteUser = (id: string) => callClerk(`/users/${id}`, 'DELETE');

/** A customer whose time is a test clock's. Checkout cannot make one, so it is made before, where the app looks for it. */
export async function createCustomerOnClock(userId: string, email: string) {
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: Math.floor(Date.now() / 1000) });
  const metadata = { user_id: userId };
  const customer = await stripe.customers.create({ email, metadata, test_clock: clock.id });
  const database = new Pool({ connectionString: variable('DATABASE_URL'), max: 1 });
  try {
    const row = [userId, customer.id];
    await database.query('INSERT INTO shop_customers (user_id, stripe_customer_id) VALUES ($1, $2)', row);
  } finally {
    await database.end();
  }
  return { clock: clock.id, customer: customer.id };
}

/** Stripe advances a clock by two intervals at most, and does so in the background. */
export async function advanceClock(clock: string, to: number): Promise<void> {
  await stripe.testHelpers.testClocks.advance(clock, { frozen_time: to });
  await expect
    .poll(async () => (await stripe.testHelpers.testClocks.retrieve(clock)).status, { timeout: 120_000 })
    .toBe('ready');
}

/** Pays on the hosted page that is open. What it asks for beside the card follows from the account and the country. */
export async function payWithTestCard(page: Page): Promise<void> {
  const cardNumber = page.getByLabel(/^card number$/i).first();
  const byCard = page.getByTestId('card-accordion-item-button');
  await expect(cardNumber.or(byCard).first()).toBeVisible();
  if (!(await cardNumber.isVisible())) await byCard.dispatchEvent('click');
  await cardNumber.fill('4242 4242 4242 4242');
  await page
    .getByLabel(/^expir/i)
    .first()
    .fill('12 / 34');
  await page.getByLabel(/^cvc$/i).first().fill('123');
  const optional = [
    { field: page.getByLabel(/name on card|cardholder name/i).first(), text: 'Wanda Walker' },
    { field: page.getByLabel(/^zip$|postal code/i).first(), text: '10001' },
  ];
  for (const { field, text } of optional) if (await field.isVisible()) await field.fill(text);
  const saveWithLink = page.locator('#enableStripePass');
  if (await saveWithLink.isVisible()) await saveWithLink.uncheck();
  await page.getByRole('button', { name: /^(Pay|Subscribe|Start trial)/ }).click();
}

/** Hosts that the providers' code calls from your pages: their own, bot protection, telemetry. */
const PROVIDER_HOSTS =
  /(^|\.)(clerk\.com|clerk\.dev|clerk\.accounts\.dev|clerk-telemetry\.com|stripe\.com|stripe\.network|challenges\.cloudflare\.com)$/;
/** What the providers' code says on a page with test keys. */
const EXPECTED = [/development keys/i, /clerk.*telemetry/i, /challenges\.cloudflare\.com/i];

/** Collects what must not happen on the app's pages; on a provider's own pages, everything may. */
export function watchPages(page: Page, appUrl: string): string[] {
  const own = new Set(
    [appUrl, process.env.NEXT_PUBLIC_CLERK_PROXY_URL, process.env.STRIPE_API_URL, process.env.NEXT_PUBLIC_SVC_BASE_URL]
      .filter((url) => url !== undefined)
      .filter((url) => URL.canParse(url))
      .map((url) => new URL(url).host),
  );
  const problems: string[] = [];
  const isOnApp = () => URL.canParse(page.url()) && new URL(page.url()).origin === appUrl;
  const report = (problem: string) => {
    if (isOnApp() && !EXPECTED.some((expected) => expected.test(problem))) problems.push(problem);
  };
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') report(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => report(`page: ${error.message}`));
  page.on('request', (request) => {
    const { host, hostname, protocol } = new URL(request.url());
    if (request.isNavigationRequest() || !protocol.startsWith('http')) return;
    if (!own.has(host) && !PROVIDER_HOSTS.test(hostname)) report(`other host: ${request.url()}`);
  });
  return problems;
}
