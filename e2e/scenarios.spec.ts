// The scenarios of the control room, each run by its button. Every one has a visitor of its own.
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { emulators } from './support';

test.setTimeout(150_000); // a visitor goes through everything, and retries take their time

/** Runs a scenario and returns what became of each stage. */
async function run(page: Page, name: string): Promise<Record<string, string>> {
  await page.goto(emulators(`/scenarios/${name}`));
  await page.getByRole('button', { name: /^Run/ }).click();
  const table = page.getByRole('table', { name: 'Before and after' });
  await expect(table).toBeVisible({ timeout: 140_000 });
  const rows = await table.getByRole('row').all();
  const cells = await Promise.all(
    rows
      .slice(1)
      .map(async (row) => [
        await row.getByRole('rowheader').innerText(),
        (await row.getByRole('cell').last().innerText()).trim(),
      ]),
  );
  return Object.fromEntries(cells);
}

/** A busy service may take a second attempt. */
const KEPT = expect.stringMatching(/^(Survived|Recovered)$/);
const NOTHING_LOST = { Click: KEPT, Lead: KEPT, 'First payment': KEPT, Renewal: KEPT };

const timeline = (page: Page) => page.getByRole('table', { name: 'Webhooks as created and as arrived' });

/** What each scenario shows. */
const SCENARIOS: Record<string, (page: Page) => Promise<void>> = {
  'an outage loses nothing: leads wait in the outbox, and Stripe sends its webhooks again': async (page) => {
    expect(await run(page, 'service-outage')).toEqual({
      Click: 'Survived',
      Lead: 'Recovered',
      'First payment': 'Recovered',
      Renewal: 'Recovered',
    });
    await expect(timeline(page).getByText('503').first()).toBeVisible();
  },
  'with the tracker blocked the purchase works, and nothing is attributed': async (page) => {
    expect(await run(page, 'tracker-blocked')).toEqual({
      Click: 'Lost',
      Lead: 'Lost',
      'First payment': 'Lost',
      Renewal: 'Lost',
    });
    await expect(page.getByText('Not attributed: unknown_customer').first()).toBeVisible();
  },
  'without metadata on the subscription the first payment is a sale, and renewals are lost': async (page) => {
    expect(await run(page, 'missing-metadata')).toMatchObject({
      Lead: 'Survived',
      'First payment': KEPT,
      Renewal: 'Lost',
    });
    await expect(page.getByRole('cell', { name: /^Sale of \$19\.00, ada/ }).first()).toBeVisible();
    await expect(
      page.getByText('Not attributed: no_attribution').first(),
      'the event of the renewal came',
    ).toBeVisible();
  },
  'webhooks that arrive twice lead to one lead, and to one sale of each payment': async (page) => {
    expect(await run(page, 'duplicate-webhooks')).toEqual(NOTHING_LOST);
    const paid = timeline(page).getByRole('row').filter({ hasText: 'invoice.paid' }).first();
    await expect.poll(() => paid.getByText(/^\d{3}/).count()).toBeGreaterThan(1);
  },
  'webhooks that arrive in any order lead to the same sales': async (page) => {
    expect(await run(page, 'out-of-order-webhooks')).toEqual(NOTHING_LOST);
  },
  'webhooks that arrive late lead to the same sales': async (page) => {
    expect(await run(page, 'delayed-webhooks')).toEqual(NOTHING_LOST);
    const late = timeline(page).getByText(/after \d{2,} s/);
    await expect(late.first()).toBeVisible();
  },
};

// At once, since they mostly wait, but not all: a browser has six connections to an origin, and the stream of each page is one.
const scenarios = Object.entries(SCENARIOS);
for (const [part, some] of [scenarios.slice(0, 3), scenarios.slice(3)].entries()) {
  test(`what each fault costs, part ${part + 1}`, async ({ context }) => {
    const runs = some.map(([title, look]) => test.step(title, async () => look(await context.newPage())));
    await Promise.all(runs);
  });
}
