// What axe finds on the page that is open.
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './fixtures';

/** No page has frames whose results would have to be merged, for which axe opens an empty page after each analysis. */
export const newAxe = (page: Page) => new AxeBuilder({ page }).setLegacyMode();

export async function expectNoViolation(page: Page): Promise<void> {
  const { violations } = await newAxe(page)
    .options({ resultTypes: ['violations'] })
    .analyze();
  expect(violations.map(({ id, nodes }) => ({ id, targets: nodes.map(({ target }) => target) }))).toEqual([]);
}
