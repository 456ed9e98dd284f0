import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openPage } from './testing/open-page.ts';
import { clickService, heldResponse, refusal } from './testing/responses.ts';

const HOME = 'https://shop.test/';

/** A page whose form watches the click ID, from the moment the provider starts. */
function openForm(options: Partial<Parameters<typeof openPage>[0]> = {}) {
  const page = openPage({ url: `${HOME}?aff=ada`, service: clickService(), ...options });
  page.runScript();
  const provider = page.runProvider();
  void provider.loadTracker({ programId: 'prg_1' });
  const reported: Array<string | null> = [];
  const stop = provider.watchClickId((clickId) => reported.push(clickId));
  return { page, reported, stop };
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
    await vi.advanceTimersByTimeAsync(1_000);
    expect(new Set(reported)).toEqual(new Set([null]));
    page.activate();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(reported.at(-1)).toBe('clk_1');
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
