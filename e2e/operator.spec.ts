// The operator's page: what is reported to the tracking service by hand, and what it refused.
import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { signClerk } from '../tests/support/sign-clerk';
import { expect, test } from './fixtures';
import { newCustomer } from './payment-support';
import { listEvents, main, newClick, newEmail, readTexts, signUpByHttp, untilHydrated } from './support';

test.describe('path B: a bank transfer', () => {
  async function orderByTransfer(page: Page): Promise<string> {
    await page.goto('/pricing');
    await page.getByRole('button', { name: 'Pay by bank transfer for Studio yearly' }).click();
    await page.waitForURL('**/account');
    const titles = main(page).getByText(/^(Waiting for your bank transfer|No plan yet)$/);
    await expect(titles, 'what was just ordered comes first').toHaveText([
      'Waiting for your bank transfer',
      'No plan yet',
    ]);
    return (
      (await main(page)
        .getByText(/^LD-[0-9A-F]+$/)
        .textContent()) ?? ''
    );
  }

  /** Opens the operator's page. @returns the transfer's row: its report is in the outbox for a moment, which names it too */
  async function openTransfer(page: Page, invoiceId: string): Promise<Locator> {
    await page.goto('/operator');
    return page.getByRole('table', { name: 'Bank transfers' }).getByRole('row').filter({ hasText: invoiceId });
  }

  test('an operator marks it as paid, it becomes one sale, and a repeat is shown as already recorded', async ({
    page,
    request,
  }) => {
    const { customer } = await newCustomer(page, 'grace');
    const invoiceId = await orderByTransfer(page);

    const row = await openTransfer(page, invoiceId);
    const paid = row.getByRole('button', { name: /Mark as paid/ });
    const asked = page.waitForEvent('dialog');
    page.once('dialog', (dialog) => dialog.dismiss());
    await paid.click();
    expect((await asked).message()).toMatch(`Has $190.00 arrived for ${invoiceId}?`);
    await expect(row.getByText('Not paid yet')).toBeVisible();
    page.once('dialog', (dialog) => dialog.accept());
    await paid.click();
    await expect(row.getByText('Sale recorded')).toBeVisible();
    await expect(main(page).getByText(`${invoiceId} is marked as paid.`)).toBeVisible();
    const again = row.getByRole('button', { name: /Report again/ });
    await expect(again, 'the button keeps the focus').toBeFocused();
    await again.click();
    await expect(row.getByText('Sale already recorded')).toBeVisible();

    const sales = (await listEvents(request, customer)).filter(({ kind }) => kind === 'sale');
    expect(sales).toEqual([
      expect.objectContaining({
        transaction_id: invoiceId,
        amount_cents: 19_000,
        currency: 'usd',
        partner_code: 'grace',
      }),
    ]);
    expect(await readTexts(page, '/account')).toMatch(/^Active$/m);
    // A further period that could not be ordered: not the list of plans, as for a link to what the customer has.
    const failed = await readTexts(page, '/checkout?plan=studio_yearly&problem=transfer');
    expect(failed).toContain('Your order could not be saved');
  });
});

test.describe('a refused report', () => {
  test.use({ expectedProblems: [/ERR_INTERNET_DISCONNECTED/] });

  test('is a dead letter on the operator’s page, until a retry succeeds', async ({ page, request }) => {
    await signUpByHttp(page, newEmail());
    const [id, customer] = [`msg_${randomUUID()}`, `user_${randomUUID()}`];
    const forged = 'clk_ForgedForgedForgedForged';
    const user = { id: customer, unsafe_metadata: { svc_click_id: forged }, email_addresses: [] };
    const body = JSON.stringify({ type: 'user.created', data: user });
    const delivery = await request.post('/api/webhooks/clerk', { data: body, headers: signClerk(body, { id }) });
    expect(delivery.status()).toBe(200);
    await page.goto('/operator');
    const row = page.getByRole('row').filter({ hasText: id });
    await expect(row.getByText('Dead letter')).toBeVisible();
    const retry = row.getByRole('button', { name: /Retry/ });
    const status = page.getByRole('status').filter({ hasText: /was sent again|did not respond/ });
    const attempts = (count: string) => expect(row.getByRole('cell', { name: count, exact: true })).toBeVisible();

    await untilHydrated(page);
    // This request alone, because Clerk's script fails if a part of it cannot be loaded.
    await page.route('/operator', (route) => route.abort('internetdisconnected'));
    await retry.click();
    await expect(status).toContainText('The server did not respond.');
    await page.unroute('/operator');
    await expect(retry, 'a pending one ignores keys').toHaveAttribute('aria-disabled', 'false');
    await retry.press('Enter');
    await attempts('2');
    await expect(status).toHaveText(`${id} was sent again and refused: unknown_click.`);
    const announced = await status.locator('> *').elementHandle();
    await retry.press('Enter');
    await attempts('3');
    await expect.poll(() => announced?.evaluate((text) => text.isConnected), 'it is announced again').toBe(false);
    await expect(retry, 'the button keeps the focus').toBeFocused();

    const data = { customer_key: customer, click_id: await newClick(request) }; // a known customer needs no click
    const headers = { authorization: `Bearer ${process.env.SVC_API_KEY}` };
    expect((await request.post('/api/v1/track/lead', { data, headers })).status()).toBe(200);
    await retry.press('Enter');
    await expect(row).toBeHidden();
    await expect(status, 'the focus is not lost').toBeFocused();
  });
});
