import { describe, expect, it, vi } from 'vitest';
import { explainClick } from './debug.ts';
import { openPage } from './testing/open-page.ts';
import { clickService, heldResponse, refusal } from './testing/responses.ts';

const HOME = 'https://shop.test/';
const state = { followed: 'ada', response: undefined, clickId: null };

describe('why there is a click, or none', () => {
  it.each([
    ['no link', { ...state, followed: undefined }, /no "aff" parameter. No click ID is stored/],
    ['a page that is not shown yet', { ...state, followed: undefined, isPrerendered: true }, /until the page is shown/],
    ['withdrawn consent', { ...state, followed: undefined, isStopped: true }, /consent was withdrawn/],
    ['a stored click', { ...state, clickId: 'clk_1' }, /keep the stored one. The stored click ID is clk_1/],
    [
      'a refused link',
      { ...state, response: { error: 'Unknown partner.' } },
      /refused the link "ada": Unknown partner/,
    ],
    ['an inactive link', { ...state, response: { success: false } }, /refused the link "ada"/],
    ['a service that is down', { ...state, response: refusal(503) }, /responded 503/],
    [
      'a blocked request',
      { ...state, response: new TypeError('Failed to fetch') },
      /no readable response \(Failed to fetch\)/,
    ],
    ['a new click', { ...state, response: { click_id: 'clk_1' }, clickId: 'clk_1' }, /^Click clk_1 for the link "ada"/],
    ['a late response', { ...state, response: { click_id: 'clk_1' }, clickId: 'clk_2' }, /after another link/],
  ])('names %s', (_name, clickState, message) => {
    expect(explainClick(clickState)).toMatch(message);
  });
});

describe('with debug', () => {
  const load = async (service = clickService(), debug = true) => {
    const page = openPage({ url: `${HOME}?aff=ada`, service });
    const provider = page.runProvider();
    await provider.loadTracker({ programId: 'prg_1', debug });
    return { page, tracker: provider.currentTracker() };
  };

  it('says which program and service it uses, each click, and each sign-up', async () => {
    const { page, tracker } = await load();
    await vi.waitFor(() => expect(page.logged).toHaveLength(2));
    page.history.pushState(null, '', '/?aff=grace');
    await vi.waitFor(() => expect(page.logged).toHaveLength(3));
    await tracker?.signup('user_1', 'a@b.test');
    expect(page.logged).toEqual([
      '[@svc/tracker] Program prg_1, service https://shop.test.',
      '[@svc/tracker] Click clk_1 for the link "ada".',
      '[@svc/tracker] Click clk_2 for the link "grace".',
      expect.stringContaining('Sign-up of user_1'),
    ]);
    expect(page.logged.join(), 'no email address').not.toContain('a@b.test');
  });

  it('sends nothing that it would not send otherwise, also where the click fails', async () => {
    const slow = heldResponse();
    const { page } = await load(() => slow.held);
    slow.respond(refusal(503));
    await vi.waitFor(() => expect(page.logged.at(-1)).toMatch(/responded 503/));
    expect(page.sent).toHaveLength(1);
  });

  it('is silent without it', async () => {
    const { page, tracker } = await load(clickService(), false);
    await tracker?.whenReady();
    expect(page.logged).toEqual([]);
  });

  it('says that it waits for consent', async () => {
    const page = openPage({ url: `${HOME}?aff=ada`, service: clickService() });
    const provider = page.runProvider();
    const loading = provider.loadTracker({ programId: 'prg_1', consent: 'required', debug: true });
    await vi.waitFor(() => expect(page.logged).toEqual(['[@svc/tracker] Waiting for consent().']));
    provider.consent();
    await loading;
    expect(page.logged).toHaveLength(2);
  });

  it.each([true, false])('says why the tracker cannot start, and nothing without it: %s', async (debug) => {
    const page = openPage({ url: HOME });
    const get = () => {
      throw new TypeError('denied');
    };
    Object.defineProperty(page.history, 'pushState', { get });
    await page.runProvider().loadTracker({ programId: 'prg_1', debug });
    expect(page.logged).toEqual(debug ? [expect.stringContaining('TypeError')] : []);
  });
});
