// The package in another app: plain React in StrictMode, bundled by esbuild, no inline script, a program of its own.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { build } from 'esbuild';
import { expect, test } from './fixtures';
import { readClickId, watchTrack } from './support';

let script = '';

test.beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [path.resolve(import.meta.dirname, '../tests/support/plain-react-app.tsx')],
    bundle: true,
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"development"' }, // where StrictMode runs effects twice
    write: false,
  });
  script = outputFiles[0]?.text ?? '';
});

test.beforeEach(async ({ page }) => {
  // The tracker waits 2 s for a click, which a busy machine may take longer for: its timers stand still.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1_000);
  const html =
    '<!doctype html><html lang="en"><title>Plain React</title><div id="root"></div><script src="/plain-react/app.js"></script>';
  await page.route('**/plain-react/**', (route) =>
    new URL(route.request().url()).pathname.endsWith('/app.js')
      ? route.fulfill({ body: script, contentType: 'text/javascript; charset=utf-8' })
      : route.fulfill({ body: html, contentType: 'text/html; charset=utf-8' }),
  );
});

test('StrictMode: the hook is null until the tracker has loaded, and there is one click', async ({ page }) => {
  const clicks = watchTrack(page.context(), 'click');
  await page.goto('/plain-react/?aff=ada');
  await expect(page.getByTestId('ready')).toHaveText(/^clk_/);
  await expect(page.getByTestId('hook')).toHaveText('loaded');
  await expect(page.getByTestId('first-render')).toHaveText('null');
  expect(clicks).toMatchObject([{ program_id: 'prg_open', existing_click_id: null }]);
});

test.describe('browser signup(userId, email)', () => {
  test.use({ expectedProblems: [/status of 400/] }); // the repeat

  test('a browser_allowed program settles it once; a repeat is rejected with 400', async ({ page }) => {
    const leads = watchTrack(page.context(), 'lead');
    const user = `user_${randomUUID()}`;
    await page.goto(`/plain-react/welcome?aff=ada&user=${user}`);
    await expect(page.getByTestId('signup')).toHaveText('{"ok":true,"provisional":false}');
    expect(leads, 'the effect ran twice').toHaveLength(1);
    expect(leads[0]).toMatchObject({
      customer_key: user,
      email: `${user}@example.com`,
      click_id: await readClickId(page),
    });
    await page.reload();
    await expect(page.getByTestId('signup')).toHaveText('{"ok":false,"provisional":false}');
  });
});
