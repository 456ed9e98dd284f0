import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { consent } from './consent.ts';
import { createCookieJar } from './testing/cookie-jar.ts';
import { openPage } from './testing/open-page.ts';
import { clickService, heldResponse } from './testing/responses.ts';
import { TrackerScript } from './tracker-script.tsx';
import { withdrawConsent } from './withdraw-consent.ts';

const HOME = 'https://www.shop.test/';
const CONFIG = { programId: 'prg_1', consent: 'required' } as const;

/** A page whose provider waits for consent. */
function openWaiting(options: Partial<Parameters<typeof openPage>[0]> = {}) {
  const page = openPage({ url: `${HOME}?aff=ada`, service: clickService(), ...options });
  const provider = page.runProvider();
  const loading = provider.loadTracker(CONFIG);
  return { page, provider, loading };
}

describe('before consent', () => {
  it('nothing is sent and nothing is stored', async () => {
    const { page, provider } = openWaiting();
    page.history.pushState(null, '', '/pricing?aff=grace');
    expect(await provider.whenReady()).toBeNull();
    expect(page.sent).toEqual([]);
    expect(page.jar.names()).toEqual([]);
    expect(provider.currentTracker()).toBeNull();
  });

  it('the inline script is not rendered', () => {
    expect(TrackerScript(CONFIG)).toBeNull();
    expect(TrackerScript({ programId: 'prg_1' })).not.toBeNull();
  });

  it('an inline script that was not told of it is an error on the console', async () => {
    const page = openPage({ url: `${HOME}?aff=ada`, service: clickService() });
    page.runScript();
    void page.runProvider().loadTracker(CONFIG);
    await vi.waitFor(() => expect(page.logged).toEqual([expect.stringContaining('does not wait')]));
  });

  it('nothing is logged where the script is absent, or the visitor said no', async () => {
    const { page } = openWaiting();
    const declined = openPage({ url: `${HOME}?aff=ada`, service: clickService() });
    const provider = declined.runProvider();
    await provider.withdrawConsent();
    void provider.loadTracker(CONFIG);
    expect(await provider.whenReady()).toBeNull();
    expect([...page.logged, ...declined.logged]).toEqual([]);
  });

  it('a form does not wait: whenReady() resolves with null at once', async () => {
    const { provider } = openWaiting();
    const timers = vi.spyOn(globalThis, 'setTimeout');
    expect(await provider.whenReady()).toBeNull();
    expect(timers).not.toHaveBeenCalled();
    timers.mockRestore();
  });

  it('nor does a form in a document that may have no cookies', async () => {
    const { provider } = openWaiting({ jar: createCookieJar({ access: 'denied' }) });
    const timers = vi.spyOn(globalThis, 'setTimeout');
    expect(await provider.whenReady()).toBeNull();
    expect(timers).not.toHaveBeenCalled();
    timers.mockRestore();
  });
});

describe('before consent, whenReady() of a visitor who agreed on an earlier page and has a click', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** The return from an identity provider: a page without a link, loaded afresh. */
  function openLaterPage() {
    const jar = createCookieJar();
    jar.write('www.shop.test', 'svc_click_id=clk_1;Path=/;Domain=shop.test');
    const { provider } = openWaiting({ url: `${HOME}sign-in/sso-callback`, jar });
    const results: Array<string | null> = [];
    void provider.whenReady().then((clickId) => results.push(clickId));
    return { provider, results };
  }

  it('waits for the consent manager, which is slower than the form', async () => {
    const { provider, results } = openLaterPage();
    await vi.advanceTimersByTimeAsync(500);
    expect(results).toEqual([]);
    provider.consent();
    await vi.advanceTimersByTimeAsync(0);
    expect(results).toEqual(['clk_1']);
  });

  it('resolves with null after 2 s without consent: the click ID is not given out', async () => {
    const { results } = openLaterPage();
    await vi.advanceTimersByTimeAsync(1_999);
    expect(results).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(results).toEqual([null]);
  });
});

describe('consent()', () => {
  it.each(['/pricing?staff=1', '/pricing#?aff=grace', '/pricing?aff=', '/pricing?aff=&aff=grace'])(
    'starts the click with the link of the landing page, also after a client-side navigation to %s',
    async (address) => {
      const { page, provider, loading } = openWaiting();
      page.history.pushState(null, '', address);
      provider.consent();
      await loading;
      expect(await provider.whenReady()).toBe('clk_1');
      expect(page.clicks()).toMatchObject([{ affiliate_url: `${HOME}?aff=ada` }]);
    },
  );

  it('starts it on a page that was reloaded in the meantime', async () => {
    const { provider, loading } = openWaiting({ navigation: 'reload' });
    provider.consent();
    await loading;
    expect(await provider.whenReady()).toBe('clk_1');
  });

  it.each(['reload', 'back_forward'] as const)(
    'replaces no click where the landing page is one of a %s, also after a client-side navigation',
    async (navigation) => {
      const jar = createCookieJar();
      jar.write('www.shop.test', 'svc_click_id=clk_grace;Path=/;Domain=shop.test');
      jar.write('www.shop.test', 'svc_partner=prg_1grace;Path=/;Domain=shop.test');
      const { page, provider, loading } = openWaiting({ navigation, jar });
      page.history.pushState(null, '', '/pricing');
      provider.consent();
      await loading;
      expect(await provider.whenReady()).toBe('clk_grace');
      expect(page.sent).toEqual([]);
      page.history.pushState(null, '', '/?aff=linus');
      expect(await provider.whenReady()).toBe('clk_1');
    },
  );

  it('starts the click with the link of the landing page where an effect has removed it before the provider started', async () => {
    const page = openPage({ url: `${HOME}?aff=ada`, service: clickService() });
    const provider = page.runProvider();
    page.history.replaceState(null, '', '/home');
    const loading = provider.loadTracker(CONFIG);
    provider.consent();
    await loading;
    expect(await provider.whenReady()).toBe('clk_1');
  });

  it.each(['navigate', 'reload'] as const)(
    'starts one click, with the link that was followed last, after a %s',
    async (navigation) => {
      const { page, provider, loading } = openWaiting({ navigation });
      page.history.pushState(null, '', '/pricing?aff=grace');
      page.history.pushState(null, '', '/plans');
      provider.consent();
      await loading;
      await provider.whenReady();
      expect(page.clicks()).toMatchObject([{ affiliate_url: `${HOME}pricing?aff=grace` }]);
    },
  );

  it('may be called before the provider has started, and again', async () => {
    const page = openPage({ url: `${HOME}?aff=ada`, service: clickService() });
    const provider = page.runProvider();
    provider.consent();
    await provider.loadTracker(CONFIG);
    provider.consent();
    expect(await provider.whenReady()).toBe('clk_1');
    expect(page.clicks()).toHaveLength(1);
  });

  it('makes no click without a link', async () => {
    const { page, provider, loading } = openWaiting({ url: HOME });
    provider.consent();
    await loading;
    expect(await provider.whenReady()).toBeNull();
    expect(page.sent).toEqual([]);
  });

  it('does nothing on the server', () => {
    expect(consent).not.toThrow();
  });

  it('counts for a form whose effect runs before that of the provider', async () => {
    const page = openPage({ url: `${HOME}?aff=ada`, service: clickService() });
    const provider = page.runProvider();
    provider.consent();
    const ready = provider.whenReady();
    void provider.loadTracker(CONFIG);
    expect(await ready).toBe('clk_1');
  });

  it('is not needed where it is not required', async () => {
    const page = openPage({ url: `${HOME}?aff=ada`, service: clickService() });
    const provider = page.runProvider();
    await provider.loadTracker({ programId: 'prg_1' });
    expect(await provider.whenReady()).toBe('clk_1');
  });
});

describe('withdrawConsent()', () => {
  it('deletes the cookies on every domain of the host and makes no further click', async () => {
    const { page, provider, loading } = openWaiting();
    provider.consent();
    await loading;
    await provider.whenReady();
    page.jar.write('www.shop.test', 'svc_partner=prg_1ada;Path=/');
    await provider.withdrawConsent();
    expect(page.jar.names()).toEqual(['svc_domain']);
    page.history.pushState(null, '', '/?aff=grace');
    expect(await provider.whenReady()).toBeNull();
    expect(await provider.currentTracker()?.signup('user_1', 'a@b.test')).toEqual({ ok: false, provisional: false });
    expect(page.sent).toHaveLength(1);
  });

  it('drops a click that is in flight', async () => {
    const slow = heldResponse();
    const { page, provider, loading } = openWaiting({ service: () => slow.held });
    provider.consent();
    await loading;
    const click = page.capture().finish();
    await provider.withdrawConsent();
    slow.respond(Response.json({ success: true, click_id: 'clk_late' }));
    await click;
    expect(page.jar.get('svc_click_id')).toBeUndefined();
  });

  it('deletes the cookies that a first-party handler sets with the response of a click in flight', async () => {
    const slow = heldResponse();
    const { page, provider, loading } = openWaiting({ service: () => slow.held });
    provider.consent();
    await loading;
    const click = page.capture().finish();
    await provider.withdrawConsent();
    page.jar.write('www.shop.test', 'svc_click_id=clk_late;Path=/;Domain=shop.test');
    slow.respond(Response.json({ success: true, click_id: 'clk_late' }));
    await click;
    await vi.waitFor(() => expect(page.jar.get('svc_click_id')).toBeUndefined());
  });

  it('deletes what a first-party handler sets with the newest click, also where an older one has its response', async () => {
    const [older, newest] = [heldResponse(), heldResponse()];
    const responses = [older.held, newest.held];
    const { page, provider, loading } = openWaiting({ service: () => responses.shift() ?? Response.error() });
    provider.consent();
    await loading;
    page.history.pushState(null, '', '/?aff=grace');
    older.respond(Response.json({ success: true, click_id: 'clk_ada' }));
    await vi.waitFor(() => expect(page.capture().response).toBeDefined());
    await provider.withdrawConsent();
    page.jar.write('www.shop.test', 'svc_click_id=clk_grace;Path=/;Domain=shop.test');
    newest.respond(Response.json({ success: true, click_id: 'clk_grace' }));
    await vi.waitFor(() => expect(page.jar.names()).not.toContain('svc_click_id'));
  });

  it.each<[string, (page: ReturnType<typeof openPage>) => Promise<void>]>([
    [
      'the second click of the page',
      async (page) => {
        await page.capture().finish();
        page.history.pushState(null, '', '/?aff=grace');
      },
    ],
    [
      'a failed click that is tried again',
      async (page) => {
        await page.capture().finish();
        void page.capture().finish();
      },
    ],
  ])('deletes what a first-party handler sets where %s is in flight', async (name, startAnother) => {
    const slow = heldResponse();
    const first = name.startsWith('a failed') ? Response.error() : Response.json({ success: true, click_id: 'clk_1' });
    const responses = [first, slow.held];
    const { page, provider, loading } = openWaiting({ service: () => responses.shift() ?? Response.error() });
    provider.consent();
    await loading;
    await startAnother(page);
    expect(page.clicks()).toHaveLength(2);
    await provider.withdrawConsent();
    page.jar.write('www.shop.test', 'svc_click_id=clk_late;Path=/;Domain=shop.test');
    slow.respond(Response.json({ success: true, click_id: 'clk_late' }));
    await vi.waitFor(() => expect(page.jar.names()).not.toContain('svc_click_id'));
  });

  it('holds for a tracker that has not started yet', async () => {
    const page = openPage({ url: `${HOME}?aff=ada`, service: clickService() });
    const provider = page.runProvider();
    await provider.withdrawConsent();
    await provider.loadTracker({ programId: 'prg_1' });
    expect(await provider.whenReady()).toBeNull();
    page.history.pushState(null, '', '/?aff=grace');
    expect(page.sent).toEqual([]);
  });

  it('holds for a click that consent has not started yet', async () => {
    const { page, provider, loading } = openWaiting();
    provider.consent();
    await provider.withdrawConsent();
    await loading;
    expect(await provider.whenReady()).toBeNull();
    expect(page.sent).toEqual([]);
  });

  it('is taken back by consent() on a page that still waits for it', async () => {
    const { page, provider, loading } = openWaiting();
    await provider.withdrawConsent();
    provider.consent();
    await loading;
    expect(await provider.whenReady()).toBe('clk_1');
    expect(page.clicks()).toHaveLength(1);
  });

  it('never rejects, also in a document that may have no cookies', async () => {
    const { provider } = openWaiting({ jar: createCookieJar({ access: 'denied' }) });
    await expect(provider.withdrawConsent()).resolves.toBeUndefined();
  });

  it('does nothing on the server', async () => {
    await expect(withdrawConsent()).resolves.toBeUndefined();
  });

  it('deletes the cookies of an earlier visit, also where consent was not given on this page', async () => {
    const jar = createCookieJar();
    jar.write('www.shop.test', 'svc_click_id=clk_1;Domain=shop.test;Path=/');
    const { provider } = openWaiting({ jar });
    await provider.withdrawConsent();
    expect(jar.names()).toEqual([]);
  });
});
