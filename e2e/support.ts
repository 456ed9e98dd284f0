// What several walks do. Browser and HTTP only, like everything here.
import { randomUUID } from 'node:crypto';
import type { APIRequestContext, BrowserContext, Page } from '@playwright/test';
import { expect } from './fixtures';

export const PASSWORD = 'correct horse 42';

/** What the page shows. While it streams, a hidden copy of a part may stand beside it for a moment, which is not visible. */
export const main = (page: Page) => page.getByRole('main');

/** An address of the emulators, which stand on an origin of their own. */
export const emulators = (path: string) => new URL(path, process.env.EMULATORS_URL).href;

/**
 * Waits for what a webhook leads to: it is accepted once its report is stored, and a busy service may take a second attempt. A read
 * that fails, such as by a 503 of a busy service, is repeated, too.
 */
export const eventually = <Value>(read: () => Value) =>
  expect.poll(
    async () => {
      try {
        return await read();
      } catch (error) {
        return error;
      }
    },
    { timeout: 30_000 },
  );

/** The bodies that a browser sends to `track/click` or `track/lead` from now on. */
export function watchTrack(context: BrowserContext, kind: 'click' | 'lead'): Array<Record<string, unknown>> {
  const bodies: Array<Record<string, unknown>> = [];
  context.on('request', (request) => {
    if (request.url().endsWith(`/api/v1/track/${kind}`)) bodies.push(request.postDataJSON());
  });
  return bodies;
}

/** An email address that no other test uses. */
export const newEmail = () => `walker-${randomUUID()}@example.com`;

/** Arrives over a partner's link and returns the click ID that the tracker stored. */
export async function arriveFrom(page: Page, partner: string, path = '/'): Promise<string> {
  await page.goto(`${path}?aff=${partner}`);
  await expect.poll(() => readClickId(page)).toMatch(/^clk_/);
  return (await readClickId(page)) ?? '';
}

/** A click over a partner's link, made by HTTP, for walks in which the visit is not the subject. */
export async function newClick(request: APIRequestContext, partner = 'ada', program = 'prg_demo'): Promise<string> {
  const data = { affiliate_url: `https://shop.example/?aff=${partner}`, program_id: program };
  const response = await request.post('/api/v1/track/click', { data });
  expect(response.status()).toBe(200);
  return ((await response.json()) as { click_id: string }).click_id;
}

/** Holds back what the page requests there, or the first `times` of it. @returns what lets it go */
export async function hold(page: Page, url: Parameters<Page['route']>[0], times = Number.POSITIVE_INFINITY) {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let asked = 0; // the option of `route()` lets a request go that is still being held
  await page.route(url, async (route) => {
    asked += 1;
    if (asked <= times) await held;
    await route.continue();
  });
  return (): void => letGo();
}

/** From here on, no request of the page gets through. The browser applies it a moment after it has accepted it. */
export async function goOffline(page: Page): Promise<void> {
  await page.context().setOffline(true);
  const probe = () =>
    fetch('/healthz').then(
      () => 'online',
      () => 'offline',
    );
  await expect.poll(() => page.evaluate(probe)).toBe('offline');
}

/**
 * The root of the page has hydrated: the router and the tracker's provider, by effects of one render, both watch the
 * address. What is inside a Suspense boundary may hydrate later. React keeps the keys and clicks on its elements until
 * then, but a listener on the document misses them.
 */
export const untilHydrated = (page: Page) => page.waitForFunction(() => Object.hasOwn(history, 'pushState'));

export async function readClickId(page: Page): Promise<string | null> {
  const cookies = await page.context().cookies();
  const cookie = cookies.find(({ name }) => name === 'svc_click_id');
  return cookie ? decodeURIComponent(cookie.value) : null;
}

/** Fills Clerk's own sign-up form on the page that is open, and resolves with the new user's ID on the welcome page. */
export async function signUp(page: Page, email: string): Promise<string> {
  await page.locator('input[name=emailAddress]').fill(email);
  await page.locator('input[name=password]').fill(PASSWORD);
  // By the keyboard: a remark below the password moves the button away while it is being pressed.
  await page.locator('input[name=password]').press('Enter');
  await page.waitForURL('**/welcome**');
  return readUserId(page);
}

/**
 * Signs up by HTTP, with the calls that Clerk's form makes, and leaves the browser signed in: where the form is not the subject.
 * @returns the user ID
 */
export async function signUpByHttp(page: Page, email: string, clickId: string | null = null): Promise<string> {
  const client = `${process.env.CLERK_API_URL}/v1/client`;
  const unsafe_metadata = JSON.stringify({ svc_click_id: clickId });
  const form = { email_address: email, password: PASSWORD, unsafe_metadata };
  const answer = await page.request.post(`${client}/sign_ups`, { form });
  expect(answer.ok(), await answer.text()).toBe(true);
  // Clerk's servers set the app's session cookies on the way back to it.
  await page.request.get(`${client}/handshake`, { params: { redirect_url: '/icon.svg' } });
  return ((await answer.json()) as { response: { created_user_id: string } }).response.created_user_id;
}

/** Where a page redirects to that had begun to be sent before it was refused. */
export const redirectOf = (html: string) => /http-equiv="refresh" content="1;url=([^"]*)"/.exec(html)?.[1];

/** A page's texts, a line each, by HTTP and in the browser's name: where what it says is the subject and not how it looks. */
export async function readTexts(page: Page, path: string): Promise<string> {
  const answer = await page.request.get(path, { headers: { accept: 'text/html' } }); // Clerk renews the session of documents
  expect(answer.ok()).toBe(true);
  const html = await answer.text();
  return html.replace(/<script\b.*?<\/script>|<!-- -->/gs, '').replace(/<[^>]*>/g, '\n');
}

/** Resolves when the email that this action causes is on its way: before, there is no code that could be right. */
export async function untilCodeIsSent(page: Page, action: () => Promise<void>): Promise<void> {
  const sent = page.waitForResponse(
    (answer) => /\/prepare_(verification|first_factor)/.test(answer.url()) && answer.ok(),
  );
  await action();
  await sent;
}

/** The signed-in user's ID, from Clerk's own browser object. */
export async function readUserId(page: Page): Promise<string> {
  const handle = await page.waitForFunction(() => (window as unknown as ClerkWindow).Clerk?.user?.id);
  return String(await handle.jsonValue());
}

/** Pays on the hosted checkout page that is open. */
export async function payWith(page: Page, cardNumber: string): Promise<void> {
  await main(page).getByLabel('Card number').fill(cardNumber);
  await main(page).getByLabel('Expiry').fill('12 / 34');
  await main(page).getByLabel('CVC').fill('123');
  await main(page).getByLabel('Name on card').fill('Wanda Walker');
  await page.getByRole('button', { name: /^(Pay|Subscribe|Start trial)/ }).click();
}

type ClerkWindow = { Clerk?: { user?: { id: string } | null } };

export type TrackingEvent = {
  id: string;
  kind: 'click' | 'lead' | 'sale' | 'refund' | 'not_attributed';
  created_at: string;
  test: boolean;
  provisional?: boolean;
  click_id?: string;
  partner_code?: string;
  customer_key?: string;
  transaction_id?: string;
  amount_cents?: number;
  currency?: string;
  reason?: string;
};

/** A customer's tracking events as the service's API lists them, oldest first. */
export async function listEvents(request: APIRequestContext, customer: string): Promise<TrackingEvent[]> {
  const response = await request.get('/api/v1/events', {
    params: { customer, limit: 100 },
    headers: { authorization: `Bearer ${process.env.SVC_API_KEY}` },
  });
  expect(response.status()).toBe(200);
  const { data } = (await response.json()) as { data: TrackingEvent[] };
  return data.reverse();
}

/** Advances one customer's time, as Stripe's test clocks do; renewals become due. */
export async function advanceTime(request: APIRequestContext, customer: string, days: number): Promise<void> {
  const response = await request.post(emulators('/control/clock'), {
    data: { advance_seconds: days * 86_400, customer },
  });
  expect(response.ok()).toBe(true);
}
