import { gzipSync } from 'node:zlib';
import type { APIRequestContext, Locator } from '@playwright/test';
import { expect, test } from './fixtures';
import {
  callStripe,
  deliveriesSettle,
  listDeliveries,
  payByForm,
  setDeliveries,
  startCheckout,
} from './payment-support';
import {
  arriveFrom,
  emulators,
  eventually,
  hold,
  listEvents,
  main,
  newEmail,
  payWith,
  readTexts,
  redirectOf,
  signUp,
  signUpByHttp,
  watchTrack,
} from './support';

/** Gzipped bytes of the scripts that a page's HTML loads, without those for browsers that lack modules. */
async function weighScripts(request: APIRequestContext, url: string): Promise<number> {
  const html = await (await request.get(url)).text();
  const scripts = [...html.matchAll(/<script\b[^>]*?\bsrc="([^"]+)"[^>]*>/g)]
    .filter(([element]) => !/nomodule/i.test(element))
    .map(([, source = '']) => new URL(source.replaceAll('&amp;', '&'), url))
    .filter(({ origin }) => origin === new URL(url).origin); // Clerk's own scripts come from its host, later
  let bytes = 0;
  for (const { href } of new Map(scripts.map((script) => [script.href, script])).values()) {
    const script = await request.get(href);
    expect(script.status(), href).toBe(200);
    bytes += gzipSync(await script.body(), { level: 9 }).length;
  }
  return bytes;
}

test.describe('marketing pages', { tag: '@build' }, () => {
  for (const path of ['/', '/pricing']) {
    test(`${path} carries no Clerk JavaScript and reads no session`, async ({ page }) => {
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      const response = await page.goto(path);
      await page.waitForLoadState('networkidle');
      expect(requests.filter((url) => /clerk/i.test(url))).toEqual([]);
      expect(response?.headers()['set-cookie']).toBeUndefined();
      expect(response?.headers()['x-nextjs-prerender']).toMatch(/^1/); // static: Next made it at build time
    });
  }

  for (const path of ['/', '/pricing']) {
    test(`${path} is one page to search engines, whichever partner links to it`, async ({ request }) => {
      const html = await (await request.get(`${path}?aff=ada`)).text();
      expect(html.split('</head>')[0]).toContain(
        `<link rel="canonical" href="${new URL(path, process.env.APP_URL).href}"/>`,
      );
    });
  }

  for (const path of ['/', '/pricing', '/no-such-page']) {
    test(`${path} loads at most 139.5 kB of JavaScript before it can react, gzipped`, async ({ request, baseURL }) => {
      const bytes = await weighScripts(request, `${baseURL}${path}`);
      expect(bytes).toBeGreaterThan(50_000);
      expect(bytes).toBeLessThanOrEqual(139_500);
    });
  }

  // Next's own, Clerk's SDK with 55 kB, and ours. Clerk's script and its forms are loaded after that.
  for (const path of ['/sign-up', '/sign-in']) {
    test(`${path} loads at most 195 kB of JavaScript before it can react, gzipped`, async ({ request, baseURL }) => {
      const bytes = await weighScripts(request, `${baseURL}${path}`);
      expect(bytes).toBeGreaterThan(100_000);
      expect(bytes).toBeLessThanOrEqual(195_000);
    });
  }

  test('no page of a signed-in customer loads more than 195 kB of JavaScript before it can react, gzipped', async ({
    page,
    baseURL,
  }) => {
    await signUpByHttp(page, newEmail());
    const paths = ['/account', '/account/plans', '/welcome', '/checkout?plan=studio_monthly', '/checkout/success'];
    for (const path of paths) {
      const bytes = await weighScripts(page.request, `${baseURL}${path}`);
      expect.soft(bytes, path).toBeGreaterThan(100_000);
      expect.soft(bytes, path).toBeLessThanOrEqual(195_000);
    }
  });

  test('no page, script or payload contains the program API key or a provider’s secret', async ({ page, request }) => {
    const names = [
      ...['SVC_API_KEY', 'CRON_SECRET', 'CLERK_SECRET_KEY', 'CLERK_WEBHOOK_SIGNING_SECRET'],
      ...['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
      ...['SVC_OPEN_API_KEY', 'SVC_STRIPE_WEBHOOK_SECRET'], // part: service
    ];
    const secrets = names.map((name) => process.env[name] ?? '');
    expect(names.filter((_, index) => !secrets[index])).toEqual([]);
    const bodies = new Map<string, string>();
    const read = async (from: APIRequestContext, path: string, headers = {}) => {
      const response = await from.get(path, { headers });
      expect(response.status(), path).toBe(200);
      bodies.set(path + Object.keys(headers), await response.text());
    };
    await signUpByHttp(page, newEmail());
    for (const [from, paths] of [
      [request, ['/', '/pricing', '/sign-up', '/sign-in']],
      [page.request, ['/account', '/account/plans', '/welcome', '/checkout?plan=studio_monthly', '/checkout/success']],
      [page.request, ['/operator']], // part: demo
    ] as const) {
      for (const path of paths) for (const headers of [{}, { rsc: '1' }]) await read(from, path, headers);
    }
    // Scripts name others that a page loads later: those come to the end of the map while it is read.
    for (const body of bodies.values()) {
      for (const [script] of body.matchAll(/static\/chunks\/[\w.~-]+\.js/g)) {
        if (!bodies.has(`/_next/${script}`)) await read(request, `/_next/${script}`);
      }
    }
    expect(bodies.size).toBeGreaterThan(25);
    const leaks = [...bodies].filter(([, body]) => secrets.some((secret) => body.includes(secret)));
    expect(leaks.map(([path]) => path)).toEqual([]);
  });
});

test.describe('the browser signup on the page after registration', () => {
  test('fires once per user: neither a reload nor another tab repeats it', async ({ page, context }) => {
    const leads = watchTrack(context, 'lead');
    await arriveFrom(page, 'ada');
    await page.goto('/sign-up');
    const sent = page.waitForResponse((response) => response.url().endsWith('/api/v1/track/lead'));
    await signUp(page, newEmail());
    await sent;
    // The response has come; the page still has to read it before it knows that it need not report again.
    await page.waitForFunction(() => localStorage.getItem('signup-reported') !== null);
    await page.reload();
    await expect(page.locator('.cl-userButtonTrigger')).toBeVisible(); // the page knows its user, and would have reported
    const tab = await context.newPage();
    await tab.goto('/welcome');
    await expect(tab.locator('.cl-userButtonTrigger')).toBeVisible();
    expect(leads).toHaveLength(1);
  });

  test('browser first, webhook later: provisional, then settled', async ({ page, request }) => {
    const email = newEmail();
    await setDeliveries(request, email, { delay_seconds: 3600 });
    const customer = await signUpByHttp(page, email, await arriveFrom(page, 'ada'));
    const sent = page.waitForResponse((response) => response.url().endsWith('/api/v1/track/lead'));
    await page.goto('/welcome');
    expect(await (await sent).json()).toMatchObject({ provisional: true });
    const leads = async () => (await listEvents(request, customer)).filter(({ kind }) => kind === 'lead');
    expect(await leads()).toEqual([]);
    for (const { id } of await listDeliveries(request, email)) {
      await request.post(emulators(`/control/deliveries/${id}/redeliver`));
    }
    await eventually(leads).toEqual([expect.objectContaining({ partner_code: 'ada', customer_key: customer })]);
  });
});

test('the links of the header are as large on a phone as the text', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/pricing');
  const sizeOf = (element: Locator) => element.evaluate((shown) => getComputedStyle(shown).fontSize);
  const links = page.getByRole('navigation', { name: 'Larkdesk' }).getByRole('link');
  await expect(links).not.toHaveCount(0);
  for (const link of await links.all()) expect(await sizeOf(link)).toBe(await sizeOf(page.locator('body')));
});

test.describe('checkout', () => {
  test('a signed-out visitor returns to the plan after sign-up', async ({ page }) => {
    await page.goto('/pricing');
    await page.getByRole('button', { name: 'Choose Studio lifetime' }).click();
    await page.waitForURL('**/sign-up?plan=studio_lifetime');
    const email = newEmail();
    await signUp(page, email);
    await expect(page.getByRole('heading', { name: 'You chose Studio lifetime' })).toBeVisible();
    await page.getByRole('link', { name: 'Continue to payment' }).click();
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await payWith(page, '4242 4242 4242 4242');
    await page.waitForURL('**/checkout/success**');
    await deliveriesSettle(page.request, email);
    expect(await readTexts(page, '/account')).toMatch(/^Lifetime access\.$/m);
  });

  test('a customer who is back before Stripe’s event sees the plan as soon as it has come', async ({ page }) => {
    await signUpByHttp(page, newEmail());
    await page.goto('/checkout/success');
    await expect(main(page).getByText('Your payment is being confirmed.')).toBeVisible();
    await payByForm(page.request, await startCheckout(page, 'studio_monthly'));
    await expect(main(page).getByText(/^Renews on/)).toBeVisible();
  });

  test.describe('on a bad day', () => {
    test.use({ expectedProblems: [/ 502 .*\/healthz$/] });

    test('a page that is late, or whose server is down, is waited for', async ({ page }) => {
      await signUpByHttp(page, newEmail());
      await page.clock.install();
      await page.route('/healthz', (route) => route.fulfill({ status: 502 }));
      const isPage = (url: URL) => url.pathname === '/checkout/success' && url.searchParams.has('_rsc');
      const letGo = await hold(page, isPage);
      const sent: string[] = [];
      page.on('request', (request) => {
        if (isPage(new URL(request.url()))) sent.push(request.url());
      });
      await page.goto('/checkout/success');
      await expect(async () => {
        const asked = page.waitForResponse('/healthz', { timeout: 500 });
        await Promise.all([asked, page.clock.runFor(2_000)]); // works once the page has started
      }).toPass();
      await expect(main(page).getByText('Your payment is being confirmed.')).toBeVisible();
      expect(sent, 'while a proxy says that the app is down').toEqual([]);
      await page.unroute('/healthz');
      await expect(async () => {
        await page.clock.runFor(2_000);
        expect(sent).not.toEqual([]);
      }).toPass();
      await payByForm(page.request, await startCheckout(page, 'studio_monthly'));
      await page.clock.runFor(20_000);
      expect(sent, 'each would discard the one before it').toHaveLength(1);
      letGo();
      await expect(main(page).getByText(/^Renews on/)).toBeVisible();
    });
  });

  test('a subscriber changes the plan that is paid for, on whichever page, and does not buy a second subscription', async ({
    page,
  }) => {
    const email = newEmail();
    await signUpByHttp(page, email);
    await page.goto('/account/plans');
    await expect(page.getByRole('button', { name: 'Choose Studio monthly', exact: true })).toBeVisible();
    await expect(main(page).getByText('Current plan', { exact: true })).toBeHidden();
    await page.goto('/checkout?plan=studio_monthly');
    await payByForm(page.request, await startCheckout(page, 'studio_monthly'));
    await deliveriesSettle(page.request, email);
    await page.getByRole('button', { name: 'Continue to payment' }).click(); // on the page that was open before the payment
    await expect(page.getByRole('heading', { name: 'Your billing with Larkdesk' })).toBeVisible();
    await page.goto('/checkout?plan=studio_monthly');
    await expect(page).toHaveURL('/account/plans');
    await page.goto('/account');
    await expect(main(page).getByText('Next invoice')).toBeVisible();
    await page.getByRole('navigation', { name: 'Larkdesk' }).getByRole('link', { name: 'Plans' }).click();
    await expect(main(page).getByText('Current plan', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: /^Choose/ })).toHaveText(['Choose Studio lifetime']); // it is no second subscription
    await page.getByRole('button', { name: 'Change plan for Studio yearly' }).click();
    await expect(page).toHaveURL(/\/stripe\/portal\//);

    await startCheckout(page, 'studio_yearly', 'portal');
    const find = (path: string) => callStripe<{ data: { id: string }[] }>(page.request, `/v1/${path}`);
    const { data: customers } = await find(`customers?email=${encodeURIComponent(email)}`);
    expect((await find(`subscriptions?customer=${customers[0]?.id}`)).data).toHaveLength(1);
    await page.goto(await startCheckout(page, 'studio_lifetime'));
    await expect(page.getByRole('button', { name: 'Pay $399.00' })).toBeVisible();
    expect(await readTexts(page, '/account?problem=billing')).toContain('Billing could not be opened');
  });
});

/** Where an element is. One that React replaces by its like at that moment is measured again. */
async function measure(element: Locator) {
  for (;;) {
    const box = await element.boundingBox();
    if (box) return box;
  }
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a page says what it needs, and does not load for ever', async ({ page }) => {
    for (const path of ['/sign-up', '/sign-in', '/account', '/dashboard', '/dashboard/sign-in']) {
      await page.goto(path);
      await expect(main(page).locator('noscript p'), path).toBeVisible(); // whose text no text locator finds
    }
  });
});

test.describe('the forms of sign-up and sign-in', () => {
  for (const path of ['/sign-up', '/sign-in']) {
    test.describe(`${path} without Clerk's scripts`, () => {
      test.use({ expectedProblems: [/ERR_FAILED|Failed to load Clerk/] });

      test('says so instead of loading for ever', async ({ page }) => {
        await page.clock.install();
        await page.route('**/clerk-js@*/**', (route) => route.abort());
        await page.goto(path);
        const loading = page.getByText('Loading the form');
        await expect(loading.first()).toBeAttached();
        const alert = page.getByRole('alert').filter({ hasText: 'The form could not be loaded' });
        await expect(async () => {
          await page.clock.runFor(5_000);
          await expect(alert).toBeVisible({ timeout: 100 });
        }).toPass({ intervals: [100] });
        await expect(loading).toHaveCount(0);

        await page.unroute('**/clerk-js@*/**');
        await alert.getByRole('link', { name: 'Try again' }).click();
        await expect(page.locator('.cl-cardBox')).toBeVisible();
        await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1); // the form's own
      });
    });
  }

  for (const [path, field, width] of [
    ['/sign-up', 'emailAddress', 360],
    ['/sign-in', 'identifier', 1280],
  ] as const) {
    test(`${path} keeps the place of its form while it loads, ${width} px wide`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      const letGo = await hold(page, '**/clerk/**');
      await page.goto(path, { waitUntil: 'commit' });
      const placeholder = page.getByRole('status').filter({ hasText: 'Loading the form' }).last();
      await expect(placeholder).toBeVisible();
      // Before its styles are there, a page can be measured, but is not shown.
      await page.waitForFunction(() =>
        Array.from(document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')).every(({ sheet }) => sheet),
      );
      const before = await measure(placeholder);
      letGo();
      await expect(page.locator(`input[name=${field}]`)).toBeVisible();
      const after = await measure(page.locator('.cl-cardBox'));
      for (const side of ['x', 'y', 'width', 'height'] as const) {
        expect(Math.abs(before[side] - after[side]), side).toBeLessThanOrEqual(2);
      }
    });
  }
});

test('each page that needs a session asks a signed-out visitor to sign in, and leads back', async ({
  request,
  baseURL,
}) => {
  for (const path of [
    '/account',
    '/account/plans',
    '/checkout?plan=studio_monthly',
    '/checkout/success',
    '/operator',
    '/welcome',
  ]) {
    const page = await (await request.get(path)).text();
    const signIn = `${baseURL}/sign-in?redirect_url=${encodeURIComponent(`${baseURL}${path}`)}`;
    expect(redirectOf(page), path).toBe(signIn);
  }
});
