import { describe, expect, it } from 'vitest';
import { openPage } from './testing/open-page.ts';
import { clickService } from './testing/responses.ts';

const HOME = 'https://shop.test/';
const LEAD = { success: true, provisional: true };

/** A page without React that loads the script file. */
function open(options: Omit<Parameters<typeof openPage>[0], 'service'>) {
  const click = clickService();
  const page = openPage({
    ...options,
    service: (request) => (request.url.endsWith('/click') ? click(request) : Response.json(LEAD)),
  });
  return { page, tracker: page.runScriptFile() };
}

describe('the script tag', () => {
  it('captures the click, with its settings from the attributes', async () => {
    const dataset = { baseUrl: 'https://tracking.test', cookieDomain: 'host-only' };
    const { page, tracker } = open({ url: `${HOME}?aff=ada`, dataset });
    expect(await tracker.whenReady()).toBe('clk_1');
    expect(page.sent[0]?.url).toBe('https://tracking.test/api/v1/track/click');
    expect(page.clicks()).toMatchObject([{ program_id: 'prg_1' }]);
    expect(page.jar.get('svc_click_id')?.isHostOnly).toBe(true);
  });

  it.each([
    ['its own element, where another script has a program ID, too', ['prg_other', 'prg_1'], 1],
    ['the first element with a program ID, where it is a module', ['prg_1', 'prg_other'], undefined],
    ['the first element with a program ID, where it is part of a bundle', ['prg_1', undefined], 1],
  ])('reads the settings of %s', async (_name, elements, current) => {
    const { page, tracker } = open({ url: `${HOME}?aff=ada`, elements, ...(current && { current }) });
    await tracker.whenReady();
    expect(page.clicks()).toMatchObject([{ program_id: 'prg_1' }]);
  });

  it('says on the console that data-program-id is missing, and does not throw', () => {
    const { page, tracker } = open({ url: `${HOME}?aff=ada`, elements: [undefined], current: 0 });
    expect(page.logged).toEqual([expect.stringContaining('data-program-id')]);
    expect(page.errors).toEqual([]);
    expect(page.sent).toEqual([]);
    expect(tracker).toBeDefined();
  });

  it('makes no request without a link', async () => {
    const { page, tracker } = open({ url: HOME });
    expect(await tracker.whenReady()).toBeNull();
    expect(page.sent).toEqual([]);
  });

  it('sends a browser lead that is asked for at once', async () => {
    const { page, tracker } = open({ url: `${HOME}?aff=ada` });
    expect(await tracker.signup('user_1', 'a@b.test')).toEqual({ ok: true, provisional: true });
    expect(page.sent[1]).toMatchObject({ url: '/api/v1/track/lead', body: { click_id: 'clk_1' } });
  });

  it.each(['required', '', 'true'])('waits for consent where data-consent is "%s"', async (consent) => {
    const { page, tracker } = open({ url: `${HOME}?aff=ada`, dataset: { consent } });
    expect(await tracker.whenReady()).toBeNull();
    expect(page.sent).toEqual([]);
    tracker.consent();
    expect(await tracker.signup('user_1', 'a@b.test')).toEqual({ ok: true, provisional: true });
  });

  it('that is loaded twice starts once, and keeps the consent that was given before', async () => {
    const { page, tracker } = open({ url: `${HOME}?aff=ada`, dataset: { consent: 'required' } });
    tracker.consent();
    expect(await tracker.whenReady()).toBe('clk_1');
    const again = page.runScriptFile();
    expect(await again.whenReady()).toBe('clk_1');
    expect(await again.signup('user_1', 'a@b.test')).toEqual({ ok: true, provisional: true });
    expect(page.clicks()).toHaveLength(1);
  });

  it('makes no click of a page that was gone back to, where it is loaded again there', async () => {
    const { page, tracker } = open({ url: `${HOME}?aff=ada` });
    await tracker.whenReady();
    page.history.pushState(null, '', '/?aff=grace');
    await tracker.whenReady();
    page.goBackTo(`${HOME}?aff=ada`);
    await page.runScriptFile().whenReady();
    expect(page.clicks().map(({ affiliate_url }) => affiliate_url)).toEqual([`${HOME}?aff=ada`, `${HOME}?aff=grace`]);
  });

  it('says on the console what it does where data-debug is set', async () => {
    const { page, tracker } = open({ url: `${HOME}?aff=ada`, dataset: { debug: '' } });
    await tracker.signup('user_1', 'a@b.test');
    expect(page.logged).toContain('[@svc/tracker] Click clk_1 for the link "ada".');
  });

  it('is silent otherwise, and leaves the page without errors', async () => {
    const { page, tracker } = open({ url: `${HOME}?aff=ada` });
    await tracker.whenReady();
    expect(page.logged).toEqual([]);
    expect(page.errors).toEqual([]);
  });
});
