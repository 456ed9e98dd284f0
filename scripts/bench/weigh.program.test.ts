import { expect, it } from 'vitest';
import { weighTracker } from './weigh.mjs';

it('the tracker keeps its budgets in bytes: the inline script, and what the provider and the hook add to an app', async () => {
  const bytes = await weighTracker();
  expect(bytes['inline script, brotli']).toBeLessThanOrEqual(800);
  expect(bytes['provider and hook over the same app without, gzip']).toBeLessThanOrEqual(600);
}, 30_000);
