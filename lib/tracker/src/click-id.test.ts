import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCookieJar } from './testing/cookie-jar.ts';
import { openPage, visit } from './testing/open-page.ts';
import { clickService, heldResponse, refusal } from './testing/responses.ts';

const HOME = 'https://shop.test/';

/** A page whose form watches the click ID, from the moment that React runs. */
function openForm({
  consent,
  ...options
}: Partial<Parameters<typeof openPage>[0]> & { consent?: 'required' | undefined } = {}) {
  const page = openPage({ url: `${HOME}?aff=ada`, service: clickService(), ...options });
  if (!consent) page.runScript();
  const provider = page.runProvider();
  const reported: Array<string | null> = [];
  // React runs the effect of a form before that of the provider around it.
  const stop = provider.watchClickId((clickId) => reported.push(clickId));
  void provider.loadTracker({ programId: 'prg_1', consent });
  return { page, provider, reported, stop };
}

describe('the click ID of a form that is open', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is reported once', async () => {
    const { reported } = openForm();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reported).toEqual(['clk_1']);
  });

  it('is null after 2 s, and is there as soon as a slow click is', async () => {
    const slow = heldResponse();
    const { reported } = openForm({ service: () => slow.held });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(reported).toEqual([null]);
    await vi.advanceTimersByTimeAsync(7_000);
    slow.respond(Response.json({ success: true, click_id: 'clk_slow' }));
    await vi.advanceTimersByTimeAsync(4_000);
    expect(reported.at(-1)).toBe('clk_slow');
  });

  it('is that of the newest click: a slow one replaces the one of an earlier visit', async () => {
    const jar = createCookieJar();
    await visit({ url: `${HOME}?aff=ada`, service: clickService(), jar });
    const slow = heldResponse();
    const { reported } = openForm({ url: `${HOME}?aff=grace`, service: () => slow.held, jar });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(reported).toEqual(['clk_1']);
    slow.respond(Response.json({ success: true, click_id: 'clk_grace' }));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(reported).toEqual(['clk_1', 'clk_grace']);
  });

  it('is that of the newest click, also where another tab made it', async () => {
    const { page, reported } = openForm();
    await vi.advanceTimersByTimeAsync(20_000);
    page.jar.write('shop.test', 'svc_click_id=clk_tab; Path=/; Max-Age=60');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(reported).toEqual(['clk_1', 'clk_tab']);
  });

  it('is null at once while a required consent is missing', async () => {
    const { reported } = openForm({ consent: 'required' });
    await vi.advanceTimersByTimeAsync(0);
    expect(reported).toEqual([null]);
  });

  it('is null after 2 s without consent where an earlier page has stored a click, and that click once consent is given', async () => {
    const jar = createCookieJar();
    jar.write('shop.test', 'svc_click_id=clk_1;Path=/;Domain=shop.test');
    const { provider, reported } = openForm({ url: HOME, consent: 'required', jar });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(reported).toEqual([null]);
    await vi.advanceTimersByTimeAsync(10_000);
    provider.consent();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(reported).toEqual([null, 'clk_1']);
  });

  it('comes a second after a late consent, and is gone a second after it was withdrawn', async () => {
    const { provider, reported } = openForm({ consent: 'required' });
    await vi.advanceTimersByTimeAsync(16_000);
    provider.consent();
    await vi.advanceTimersByTimeAsync(1_100);
    expect(reported).toEqual([null, 'clk_1']);
    await provider.withdrawConsent();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(reported).toEqual([null, 'clk_1', null]);
  });

  it('comes after an outage, which is asked about less and less often', async () => {
    const outage = { isOver: false };
    const click = clickService();
    const { page, reported } = openForm({ service: (request) => (outage.isOver ? click(request) : refusal(503)) });
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect(page.clicks().length).toBeLessThan(30);
    expect(new Set(reported)).toEqual(new Set([null]));
    outage.isOver = true;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(reported.at(-1)).toBe('clk_1');
  });

  it('comes when a prerendered page is shown', async () => {
    const { page, reported } = openForm({ isPrerendered: true });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(reported).toEqual([]);
    page.activate();
    await vi.advanceTimersByTimeAsync(0);
    expect(reported).toEqual(['clk_1']);
  });

  it('costs no request where the visitor was not referred, and nothing once the form is gone', async () => {
    const { page, reported, stop } = openForm({ url: HOME });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(page.sent).toEqual([]);
    stop();
    const before = reported.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reported).toHaveLength(before);
    expect(vi.getTimerCount()).toBe(0);
  });
});
