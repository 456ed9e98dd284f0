// What axe finds on the page that is open.
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './fixtures';

/** No page has frames whose results would have to be merged, for which axe opens an empty page after each analysis. */
export async function newAxe(page: Page): Promise<AxeBuilder> {
  // Its script, of half a megabyte, is sent for the first analysis of a page only.
  const isThere = await page.evaluate(() => 'axe' in window);
  return new AxeBuilder({ page, ...(isThere && { axeSource: 'void 0' }) }).setLegacyMode();
}

export async function expectNoViolation(page: Page): Promise<void> {
  const axe = await newAxe(page);
  const { violations } = await axe.options({ resultTypes: ['violations'] }).analyze();
  expect(violations.map(({ id, nodes }) => ({ id, targets: nodes.map(({ target }) => target) }))).toEqual([]);
}
