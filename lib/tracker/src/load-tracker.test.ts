import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as onServer from './load-tracker.ts';
import { createCookieJar } from './testing/cookie-jar.ts';
import { openPage, type Service } from './testing/open-page.ts';
import { clickService, heldResponse, refusal } from './testing/responses.ts';

const HOME = 'https://shop.test/';
const CONFIG = { programId: 'prg_1' };
const PROVISIONAL = { provisional: true }; // what the contract names, and no more

/** Responds to clicks as the service does, and to leads as the test says. */
function service(lead: Service): Service {
  const click = clickService();
  return (request) => (request.url.endsWith('/click') ? click(request) : lead(request));
}

/** A page with script and provider, loaded. */
async function load(options: Parameters<typeof openPage>[0]) {
  const page = openPage(options);
  page.runScript();
  const provider = page.runProvider();
  await provider.loadTracker(CONFIG);
  const tracker = provider.currentTracker();
  if (!tracker) throw new Error('The tracker has not loaded.');
  return { page, provider, tracker, leads: () => page.sent.filter(({ url }) => url.endsWith('/lead')) };
}

describe('the provider', () => {
  it('does nothing on the server: no tracker, no click ID', async () => {
    expect(onServer.currentTracker()).toBeNull();
    expect(await onServer.whenReady()).toBeNull();
  });

  it('attaches to the click that the inline script has started', async () => {
    const { page, tracker } = await load({ url: `${HOME}?aff=ada`, service: clickService() });
    expect(await tracker.whenReady()).toBe('clk_1');
    expect(page.clicks()).toHaveLength(1);
  });

  it('starts the click itself where the script is absent', async () => {
    const page = openPage({ url: `${HOME}?aff=ada`, service: clickService() });
    const provider = page.runProvider();
    await provider.loadTracker(CONFIG);
    expect(await provider.whenReady()).toBe('clk_1');
  });

  it('and the effect of a child has removed the link before, it starts the click with the link of the document', async () => {
    const page = openPage({ url: `${HOME}?aff=ada`, service: clickService() });
    const provider = page.runProvider();
    page.history.replaceState(null, '', '/home');
    await provider.loadTracker(CONFIG);
    expect(await provider.whenReady()).toBe('clk_1');
    expect(page.clicks()).toMatchObject([{ affiliate_url: `${HOME}?aff=ada` }]);
  });

  it('and a client-side navigation has brought another link before, that is the one', async () => {
    const page = openPage({ url: `${HOME}?aff=ada`, service: clickService() });
    const provider = page.runProvider();
    page.history.replaceState(null, '', '/home?aff=grace');
    await provider.loadTracker(CONFIG);
    await provider.whenReady();
    expect(page.clicks()).toMatchObject([{ affiliate_url: `${HOME}home?aff=grace` }]);
  });

  it('and the browser does not know the address of the document, it starts without a click', async () => {
    const page = openPage({ url: `${HOME}?aff=ada`, navigationName: 'document', service: clickService() });
    const provider = page.runProvider();
    page.history.replaceState(null, '', '/home');
    await provider.loadTracker(CONFIG);
    expect(provider.currentTracker()).not.toBeNull();
    expect(await provider.whenReady()).toBeNull();
  });

  it("takes the service's address with a slash at its end", async () => {
    const page = openPage({ url: `${HOME}?aff=ada`, service: service(() => Response.json(PROVISIONAL)) });
    const provider = page.runProvider();
    await provider.loadTracker({ ...CONFIG, baseUrl: 'https://tracking.test/' });
    await provider.currentTracker()?.signup('user_1', 'a@b.test');
    expect(page.sent.map(({ url }) => url)).toEqual([
      'https://tracking.test/api/v1/track/click',
      'https://tracking.test/api/v1/track/lead',
    ]);
  });

  it('calls a path of the app by names that are not on blockers’ lists', async () => {
    const page = openPage({ url: `${HOME}?aff=ada`, service: service(() => Response.json(PROVISIONAL)) });
    const provider = page.runProvider();
    await provider.loadTracker({ ...CONFIG, baseUrl: '/svc/' });
    await provider.currentTracker()?.signup('user_1', 'a@b.test');
    expect(page.sent.map(({ url }) => url)).toEqual(['/svc/click', '/svc/lead']);
  });

  it('makes one click where effects run twice', async () => {
    const page = openPage({ url: `${HOME}?aff=ada`, service: clickService() });
    const provider = page.runProvider();
    await Promise.all([provider.loadTracker(CONFIG), provider.loadTracker(CONFIG)]);
    await provider.whenReady();
    page.history.pushState(null, '', '/pricing');
    expect(page.clicks()).toHaveLength(1);
  });

  it('gives null until the tracker has loaded', async () => {
    const page = openPage({ url: HOME });
    const provider = page.runProvider();
    const loading = provider.loadTracker(CONFIG);
    expect(provider.currentTracker()).toBeNull();
    await loading;
    expect(provider.currentTracker()?.getClickId()).toBeNull();
  });

  it('does not break a page in which it cannot start', async () => {
    const page = openPage({ url: HOME, service: clickService() });
    const provider = page.runProvider();
    const get = () => {
      throw new TypeError('denied');
    };
    Object.defineProperty(page.history, 'pushState', { get });
    await expect(provider.loadTracker(CONFIG)).resolves.toBeUndefined();
  });
});

describe('client-side navigation', () => {
  it.each(['pushState', 'replaceState'] as const)(
    'makes a click for an address with aff that comes by %s',
    async (method) => {
      const { page, tracker } = await load({ url: HOME, service: clickService() });
      page.history[method](null, '', '/pricing?aff=ada');
      expect(await tracker.whenReady()).toBe('clk_1');
      expect(page.clicks()).toMatchObject([{ affiliate_url: `${HOME}pricing?aff=ada` }]);
    },
  );

  it('makes none for an address without aff, and none for the same partner again', async () => {
    const { page, tracker } = await load({ url: `${HOME}?aff=ada`, service: clickService() });
    await tracker.whenReady();
    page.history.pushState(null, '', '/pricing');
    page.history.pushState(null, '', '/pricing?aff=ada');
    await tracker.whenReady();
    expect(page.clicks()).toHaveLength(1);
  });

  it("lets another partner's link win, and the first one's again after it", async () => {
    const { page, tracker } = await load({ url: `${HOME}?aff=ada`, service: clickService() });
    await tracker.whenReady();
    page.history.pushState(null, '', '/?aff=grace');
    expect(await tracker.whenReady()).toBe('clk_2');
    page.history.pushState(null, '', '/?aff=ada');
    expect(await tracker.whenReady()).toBe('clk_3');
  });

  it('leaves a failed click alone once the link of the stored click was followed after it', async () => {
    const jar = createCookieJar();
    jar.write('shop.test', 'svc_click_id=clk_grace;Path=/');
    jar.write('shop.test', 'svc_partner=prg_1grace;Path=/');
    const { page, tracker } = await load({ url: `${HOME}?aff=ada`, service: () => refusal(503), jar });
    await page.capture().finish();
    page.history.pushState(null, '', '/?aff=grace');
    expect(await tracker.whenReady()).toBe('clk_grace');
    expect(page.clicks()).toHaveLength(2); // both for ada
  });

  it('makes none where a router writes the address that it finds, as Next does after the back button', async () => {
    const { page, tracker } = await load({ url: `${HOME}?aff=ada`, service: clickService() });
    await tracker.whenReady();
    page.jar.write('shop.test', 'svc_click_id=clk_other_tab;Path=/');
    page.jar.write('shop.test', 'svc_partner=prg_1grace;Path=/');
    page.history.pushState(null, '', '/pricing');
    page.goBackTo('/?aff=linus');
    page.history.replaceState(null, '', '/?aff=linus');
    expect(page.clicks()).toHaveLength(1);
    expect(tracker.getClickId()).toBe('clk_other_tab');
  });

  it.each(['/?aff=ada&sort=price', '/?aff=ada#plans'])(
    'makes none where the page that the back button restored adds to its address: %s',
    async (address) => {
      const { page, tracker } = await load({ url: `${HOME}?aff=ada`, service: clickService() });
      await tracker.whenReady();
      page.history.pushState(null, '', '/pricing?aff=grace');
      expect(await tracker.whenReady()).toBe('clk_2');
      page.goBackTo('/?aff=ada');
      page.history.pushState(null, '', address);
      expect(await tracker.whenReady()).toBe('clk_2');
      expect(page.clicks()).toHaveLength(2);
    },
  );

  it('tries again when the page comes back from the back/forward cache before its click had its response', async () => {
    const outage = { isOver: false };
    const click = clickService();
    const { page, tracker } = await load({
      url: `${HOME}?aff=ada`,
      service: (request) => (outage.isOver ? click(request) : Response.error()),
    });
    await page.capture().finish();
    outage.isOver = true;
    page.restoreFromCache();
    await vi.waitFor(() => expect(tracker.getClickId()).toBe('clk_1'));
  });

  it('tries again when the page comes back and only then learns that the request has failed', async () => {
    const failed = heldResponse();
    const click = clickService();
    const responses = [failed.held];
    const { page, tracker } = await load({
      url: `${HOME}?aff=ada`,
      service: (request) => responses.shift() ?? click(request),
    });
    page.restoreFromCache();
    failed.respond(Response.error());
    await vi.waitFor(() => expect(tracker.getClickId()).toBe('clk_1'));
    expect(page.clicks()).toHaveLength(2);
  });

  it('makes no click when a page comes back whose click is stored', async () => {
    const { page, tracker } = await load({ url: `${HOME}?aff=ada`, service: clickService() });
    await tracker.whenReady();
    page.restoreFromCache();
    expect(page.clicks()).toHaveLength(1);
  });
});

describe('whenReady', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('waits for the click in flight: a visitor who presses "sign up" before it is back still signs up with it', async () => {
    const slow = heldResponse();
    const { provider } = await load({ url: `${HOME}?aff=ada`, service: () => slow.held });
    const ready = provider.whenReady();
    await vi.advanceTimersByTimeAsync(1900);
    slow.respond(Response.json({ success: true, click_id: 'clk_slow' }));
    expect(await ready).toBe('clk_slow');
  });

  it('waits 2 s at most for a service that hangs', async () => {
    const { provider, tracker } = await load({ url: `${HOME}?aff=ada`, service: () => heldResponse().held });
    const results: Array<string | null> = [];
    void provider.whenReady().then((clickId) => results.push(clickId));
    void tracker.whenReady().then((clickId) => results.push(clickId));
    await vi.advanceTimersByTimeAsync(1999);
    expect(results).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(results).toEqual([null, null]);
  });

  it('waits 2 s at most for a provider that never comes', async () => {
    const ready = openPage({ url: HOME }).runProvider().whenReady();
    await vi.advanceTimersByTimeAsync(2000);
    expect(await ready).toBeNull();
  });

  it('finds the click also where another copy of the package has started the tracker', async () => {
    const { page } = await load({ url: `${HOME}?aff=ada`, service: clickService() });
    const ready = page.runProvider().whenReady();
    await vi.advanceTimersByTimeAsync(2000);
    expect(await ready).toBe('clk_1');
  });

  it('does not wait where there is no click to wait for', async () => {
    const { provider } = await load({ url: HOME });
    expect(await provider.whenReady()).toBeNull();
  });
});

describe('§3 browser signup(userId, email)', () => {
  it('sends a browser lead with the program ID and the click ID of the cookie', async () => {
    const { tracker, leads } = await load({
      url: `${HOME}?aff=ada`,
      service: service(() => Response.json(PROVISIONAL)),
    });
    expect(await tracker.signup('user_1', 'a@b.test')).toEqual({ ok: true, provisional: true });
    expect(leads()[0]?.body).toEqual({
      program_id: 'prg_1',
      customer_key: 'user_1',
      email: 'a@b.test',
      click_id: 'clk_1',
    });
    expect(leads()[0]?.init.headers, 'no API key in the browser').toBeUndefined();
  });

  it('says that the lead is settled where the program is browser_allowed', async () => {
    const { tracker } = await load({
      url: `${HOME}?aff=ada`,
      service: service(() => Response.json({ success: true, lead_id: 'led_1' })),
    });
    expect(await tracker.signup('user_1', 'a@b.test')).toEqual({ ok: true, provisional: false });
  });

  it.each([
    [200, '{"lead_id":"led_1"}'],
    [201, ''],
    [201, 'OK'],
    [204, null],
  ])('a %d without provisional: true is a settled lead, whatever its body: %j', async (status, body) => {
    const { tracker, leads } = await load({
      url: `${HOME}?aff=ada`,
      service: service(() => new Response(body, { status })),
    });
    expect(await tracker.signup('user_1', 'a@b.test')).toEqual({ ok: true, provisional: false });
    await tracker.signup('user_1', 'a@b.test');
    expect(leads()).toHaveLength(1);
  });

  it.each([200, 400])('a %d that is a page is no response of the service: a later call tries again', async (status) => {
    const page = () => new Response('<html>Sign in</html>', { status });
    const { tracker, leads } = await load({ url: `${HOME}?aff=ada`, service: service(page) });
    await tracker.signup('user_1', 'a@b.test');
    await tracker.signup('user_1', 'a@b.test');
    expect(leads()).toHaveLength(2);
  });

  it('resolves with ok: false where a repeat is rejected with 400', async () => {
    const { tracker } = await load({ url: `${HOME}?aff=ada`, service: service(() => refusal(400)) });
    expect(await tracker.signup('user_1', 'a@b.test')).toEqual({ ok: false, provisional: false });
  });

  it('is not sent again on the page where the service has refused it', async () => {
    const { tracker, leads } = await load({ url: `${HOME}?aff=ada`, service: service(() => refusal(400)) });
    await tracker.signup('user_1', 'a@b.test');
    expect(await tracker.signup('user_1', 'a@b.test')).toEqual({ ok: false, provisional: false });
    expect(leads()).toHaveLength(1);
  });

  it('waits for the click in flight', async () => {
    const slow = heldResponse();
    const { tracker, leads } = await load({
      url: `${HOME}?aff=ada`,
      service: (request) => (request.url.endsWith('/click') ? slow.held : Response.json(PROVISIONAL)),
    });
    const signup = tracker.signup('user_1', 'a@b.test');
    expect(leads()).toEqual([]);
    slow.respond(Response.json({ success: true, click_id: 'clk_slow' }));
    await signup;
    expect(leads()).toMatchObject([{ body: { click_id: 'clk_slow' } }]);
  });

  it('is sent once for a user, however often it is called on one page', async () => {
    const { tracker, leads } = await load({
      url: `${HOME}?aff=ada`,
      service: service(() => Response.json(PROVISIONAL)),
    });
    await Promise.all([tracker.signup('user_1', 'a@b.test'), tracker.signup('user_1', 'a@b.test')]);
    await tracker.signup('user_1', 'a@b.test');
    expect(leads()).toHaveLength(1);
    await tracker.signup('user_2', 'c@d.test');
    expect(leads()).toHaveLength(2);
  });

  it('sends nothing without a click: the service could record nothing', async () => {
    const { tracker, leads } = await load({ url: HOME });
    expect(await tracker.signup('user_1', 'a@b.test')).toEqual({ ok: false, provisional: false });
    expect(leads()).toEqual([]);
  });

  it('never rejects, and may be called again after a failure', async () => {
    const outage = { isOver: false };
    const { tracker } = await load({
      url: `${HOME}?aff=ada`,
      service: service(() => (outage.isOver ? Response.json(PROVISIONAL) : refusal(503))),
    });
    expect(await tracker.signup('user_1', 'a@b.test')).toEqual({ ok: false, provisional: false });
    outage.isOver = true;
    expect(await tracker.signup('user_1', 'a@b.test')).toEqual({ ok: true, provisional: true });
  });

  it('called before the tracker has loaded, it is queued', async () => {
    const page = openPage({ url: `${HOME}?aff=ada`, service: service(() => Response.json(PROVISIONAL)) });
    page.runScript();
    const provider = page.runProvider();
    const early = provider.whenLoaded().then((tracker) => tracker.signup('user_1', 'a@b.test'));
    await provider.loadTracker(CONFIG);
    expect(await early).toEqual({ ok: true, provisional: true });
  });

  it('uses the click of a browser that refuses cookies, as long as the page lives', async () => {
    const { tracker, leads } = await load({
      url: `${HOME}?aff=ada`,
      service: service(() => Response.json(PROVISIONAL)),
      jar: createCookieJar({ access: 'ignored' }),
    });
    await tracker.signup('user_1', 'a@b.test');
    expect(leads()).toMatchObject([{ body: { click_id: 'clk_1' } }]);
  });
});
