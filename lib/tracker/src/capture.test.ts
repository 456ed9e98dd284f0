import { describe, expect, it } from 'vitest';
import { createCookieJar } from './testing/cookie-jar.ts';
import { openPage, visit } from './testing/open-page.ts';
import { clickService, heldResponse, refusal } from './testing/responses.ts';

const HOME = 'https://shop.test/';

describe('§1 click capture', () => {
  it('reads aff from the page URL, makes a click and stores the cookie svc_click_id', async () => {
    const page = await visit({ url: `${HOME}?aff=ada`, service: clickService() });
    expect(page.clicks()).toEqual([
      {
        program_id: 'prg_1',
        affiliate_url: `${HOME}?aff=ada`,
        referrer_url: 'https://blog.test/',
        existing_click_id: null,
      },
    ]);
    expect(page.jar.get('svc_click_id')?.value).toBe('clk_1');
    expect(page.capture().getClickId()).toBe('clk_1');
  });

  it.each(['', '?aff=', '?AFF=ada', '?utm_source=ada', '#aff=ada'])(
    'makes no request for the URL ending in "%s"',
    async (query) => {
      const page = await visit({ url: HOME + query, service: clickService() });
      expect(page.sent).toEqual([]);
      expect(page.capture().getClickId()).toBeNull();
    },
  );

  it('sends it without a preflight, and so that it outlives the page', async () => {
    const page = await visit({
      url: `${HOME}?aff=ada`,
      service: clickService(),
      dataset: { clickUrl: 'https://tracking.test/api/v1/track/click' },
    });
    expect(page.sent[0]?.url).toBe('https://tracking.test/api/v1/track/click');
    expect(page.sent[0]?.init).toMatchObject({ method: 'POST', keepalive: true, body: expect.any(String) });
    expect(page.sent[0]?.init.headers).toBeUndefined();
  });

  it('does not send the fragment of the URL, which may hold secrets', async () => {
    const page = await visit({ url: `${HOME}?aff=ada#access_token=1`, service: clickService() });
    expect(page.clicks()[0]?.affiliate_url).toBe(`${HOME}?aff=ada`);
  });

  it('starts once, however often it is run', async () => {
    const page = await visit({ url: `${HOME}?aff=ada`, service: clickService() });
    page.runScript();
    await page.capture().finish();
    expect(page.sent).toHaveLength(1);
  });
});

describe('last click wins', () => {
  it('makes no second click for the same partner, and keeps the cookie', async () => {
    const jar = createCookieJar();
    const service = clickService();
    await visit({ url: `${HOME}?aff=ada`, jar, service });
    const again = await visit({ url: `${HOME}pricing?aff=ada&utm_source=mail`, jar, service });
    expect(again.sent).toEqual([]);
    expect(again.capture().getClickId()).toBe('clk_1');
  });

  it("replaces the click by another partner's, and names the old one as existing_click_id", async () => {
    const jar = createCookieJar();
    const service = clickService();
    await visit({ url: `${HOME}?aff=ada`, jar, service });
    const next = await visit({ url: `${HOME}?aff=grace`, jar, service });
    expect(next.clicks()).toMatchObject([{ existing_click_id: 'clk_1' }]);
    expect(next.capture().getClickId()).toBe('clk_2');
    expect(jar.get('svc_partner')?.value).toBe('prg_1grace');
  });

  it('makes a click for the same partner in another program, whose service does not know the old one', async () => {
    const jar = createCookieJar();
    const service = clickService();
    await visit({ url: `${HOME}?aff=ada`, jar, service });
    const other = await visit({ url: `${HOME}?aff=ada`, jar, service, elements: ['prg_2'] });
    expect(other.clicks()).toMatchObject([{ program_id: 'prg_2', existing_click_id: 'clk_1' }]);
    expect(other.capture().getClickId()).toBe('clk_2');
  });

  it.each(['reload', 'back_forward'] as const)(
    "is not undone by a %s of an earlier partner's page",
    async (navigation) => {
      const jar = createCookieJar();
      const service = clickService();
      await visit({ url: `${HOME}?aff=ada`, jar, service });
      await visit({ url: `${HOME}?aff=grace`, jar, service });
      const back = await visit({ url: `${HOME}?aff=ada`, jar, service, navigation });
      back.capture().arrive(true); // routers write the address that they find
      expect(back.sent).toEqual([]);
      expect(back.capture().getClickId()).toBe('clk_2');
    },
  );

  it('makes the click on a reload where there is none yet', async () => {
    const page = await visit({ url: `${HOME}?aff=ada`, service: clickService(), navigation: 'reload' });
    expect(page.capture().getClickId()).toBe('clk_1');
  });

  it('keeps the later link where the responses arrive in the other order', async () => {
    const slow = heldResponse();
    const service = clickService();
    const page = openPage({
      url: `${HOME}?aff=ada`,
      service: (request) => (String(request.body.affiliate_url).endsWith('ada') ? slow.held : service(request)),
    });
    page.runScript();
    const first = page.capture().finish();
    page.history.pushState(null, '', '?aff=grace');
    page.capture().arrive(true);
    await page.capture().finish();
    slow.respond(Response.json({ success: true, click_id: 'clk_slow' }));
    await first;
    expect(page.capture().getClickId()).toBe('clk_1');
    expect(page.jar.get('svc_partner')?.value).toBe('prg_1grace');
  });

  it('lets a second tab see the click of the first', async () => {
    const jar = createCookieJar();
    const service = clickService();
    const first = await visit({ url: HOME, jar, service });
    const second = await visit({ url: `${HOME}?aff=ada`, jar, service });
    expect(first.capture().getClickId()).toBe(second.capture().getClickId());
  });

  it('makes a new click where the visitor has deleted the cookie', async () => {
    const jar = createCookieJar();
    const service = clickService();
    const page = await visit({ url: `${HOME}?aff=ada`, jar, service });
    jar.delete('svc_click_id');
    expect(page.capture().getClickId()).toBeNull();
    expect((await visit({ url: `${HOME}?aff=ada`, jar, service })).capture().getClickId()).toBe('clk_2');
  });
});

describe('a page that must not break', () => {
  it.each([400, 404, 413, 415])('takes %i as final, stores nothing and sends no second request', async (status) => {
    const page = await visit({ url: `${HOME}?aff=unknown`, service: () => refusal(status) });
    await page.capture().finish();
    expect(page.sent).toHaveLength(1);
    expect(page.jar.get('svc_click_id')).toBeUndefined();
    expect(page.errors).toEqual([]);
  });

  it('stores nothing for an inactive link, and keeps an earlier click', async () => {
    const jar = createCookieJar();
    await visit({ url: `${HOME}?aff=ada`, jar, service: clickService() });
    const page = await visit({ url: `${HOME}?aff=linus`, jar, service: () => Response.json({ success: false }) });
    expect(page.capture().getClickId()).toBe('clk_1');
    expect(jar.get('svc_partner')?.value).toBe('prg_1ada');
  });

  it.each([
    ['is down', () => refusal(503)],
    ['limits the rate', () => refusal(429)],
    ['is blocked', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['responds with a page instead of JSON', () => new Response('<html>')],
    ['responds with null', () => Response.json(null)],
  ])('loses no click where the service %s for a while: the next need of it tries again', async (_name, fail) => {
    const outage = { isOver: false };
    const service = clickService();
    const page = await visit({
      url: `${HOME}?aff=ada`,
      service: (request) => (outage.isOver ? service(request) : fail()),
    });
    expect(page.capture().getClickId()).toBeNull();
    expect(page.errors).toEqual([]);
    outage.isOver = true;
    await page.capture().finish();
    expect(page.capture().getClickId()).toBe('clk_1');
  });

  it('sends one request for a click that is in flight', async () => {
    const slow = heldResponse();
    const page = openPage({ url: `${HOME}?aff=ada`, service: () => slow.held });
    page.runScript();
    const waiting = [page.capture().finish(), page.capture().finish()];
    slow.respond(Response.json({ success: true, click_id: 'clk_1' }));
    await Promise.all(waiting);
    expect(page.sent).toHaveLength(1);
  });

  it('keeps the click for the page where the browser refuses cookies', async () => {
    const page = await visit({
      url: `${HOME}?aff=ada`,
      service: clickService(),
      jar: createCookieJar({ access: 'ignored' }),
    });
    expect(page.capture().getClickId()).toBe('clk_1');
    expect(page.errors).toEqual([]);
  });

  it('makes the click, for as long as the page lives, in a sandboxed frame that may not even read cookies', async () => {
    const jar = createCookieJar({ access: 'denied' });
    const page = await visit({ url: `${HOME}?aff=ada`, service: clickService(), jar });
    expect(page.capture().getClickId()).toBe('clk_1');
    await page.capture().finish();
    expect(page.sent).toHaveLength(1);
    expect(page.errors).toEqual([]);
  });

  it('makes no click for a prerendered page until it is visited', async () => {
    const page = await visit({ url: `${HOME}?aff=ada`, service: clickService(), isPrerendered: true });
    page.capture().arrive(true); // a router writes the address while the page is prerendered
    expect(page.sent).toEqual([]);
    page.activate();
    await page.capture().finish();
    expect(page.capture().getClickId()).toBe('clk_1');
  });

  it('makes the click of a prerendered page whose link was removed before it is visited', async () => {
    const page = await visit({ url: `${HOME}?aff=ada`, service: clickService(), isPrerendered: true });
    page.history.replaceState(null, '', '/home');
    page.activate();
    await page.capture().finish();
    expect(page.clicks()).toMatchObject([{ affiliate_url: `${HOME}?aff=ada` }]);
  });
});
