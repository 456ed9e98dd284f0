import type { BrowserContext, Page } from '@playwright/test';

const PASSWORD = 'correct horse 42';

type Customer = { email: string; partner?: string; plan: string };

/** One customer's way through the shop, up to the page that says thank you. */
export async function walkCustomer(context: BrowserContext, { email, partner, plan }: Customer): Promise<Page> {
  const page = await context.newPage();
  await page.goto(partner ? `/?aff=${partner}` : '/');
  if (partner) await page.waitForFunction(() => document.cookie.includes('svc_click_id='));
  await page.goto(`/sign-up?plan=${plan}`);
  await page.locator('input[name=emailAddress]').fill(email);
  await page.locator('input[name=password]').fill(PASSWORD);
  const welcome = page.waitForURL('**/welcome**');
  await page.locator('input[name=password]').press('Enter');
  await welcome;
  await page.goto(`/checkout?plan=${plan}`);
  await page.getByRole('button', { name: /^Choose/ }).click();
  await page.waitForURL('**/stripe/checkout/**');
  return page;
}

/** Pays on the hosted page that is open. */
export async function pay(page: Page): Promise<void> {
  await page.getByLabel('Card number').fill('4242 4242 4242 4242');
  await page.getByLabel('Expiry').fill('12 / 34');
  await page.getByLabel('CVC').fill('123');
  await page.getByLabel('Name on card').fill('Wanda Walker');
  await page.getByRole('button', { name: /^(Pay|Subscribe)/ }).click();
  await page.waitForURL('**/checkout/success**');
}
