import type { APIRequestContext, Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { emulators, newEmail, payWith, signUpByHttp } from './support';

async function listFromStripe(request: APIRequestContext, path: string, params: Record<string, string>) {
  const headers = { authorization: `Bearer ${process.env.STRIPE_SECRET_KEY}` };
  const answer = await request.get(emulators(path), { headers, params });
  return ((await answer.json()) as { data: { id: string }[] }).data;
}

async function choose(page: Page, plan: string, label: string): Promise<void> {
  await page.goto(`/checkout?plan=${plan}`);
  await page.getByRole('button', { name: `Choose ${label}` }).click();
}

test('a subscriber who chooses a subscription again is led to the billing portal and not charged twice', async ({
  page,
  request,
}) => {
  const email = newEmail();
  await signUpByHttp(page, email);
  await choose(page, 'studio_monthly', 'Studio monthly');
  await payWith(page, '4242 4242 4242 4242');
  await page.waitForURL('**/checkout/success**');

  for (const [plan, label] of [
    ['studio_monthly', 'Studio monthly'],
    ['studio_yearly', 'Studio yearly'],
  ] as const) {
    await choose(page, plan, label);
    await expect(page.getByRole('heading', { name: 'Your billing with Larkdesk' })).toBeVisible();
  }
  const [customer] = await listFromStripe(request, '/v1/customers', { email });
  expect(await listFromStripe(request, '/v1/subscriptions', { customer: customer?.id ?? '' })).toHaveLength(1);

  await choose(page, 'studio_lifetime', 'Studio lifetime');
  await expect(page.getByRole('button', { name: 'Pay $399.00' })).toBeVisible();
  await page.goto('/account?problem=billing');
  await expect(page.getByRole('alert').filter({ hasText: 'Billing could not be opened' })).toBeVisible();
});
