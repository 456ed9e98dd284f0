import { describe, expect, it } from 'vitest';
import { createCookieJar } from './testing/cookie-jar.ts';
import { openPage, visit } from './testing/open-page.ts';
import { clickService } from './testing/responses.ts';

const HOME = 'https://shop.test/';
const DAY = 86_400;

describe('the cookie svc_click_id', () => {
  it('lasts as long as the program says, for the whole site, and is sent over https only', async () => {
    const { jar } = await visit({ url: `${HOME}?aff=ada`, service: clickService({ days: 7 }) });
    const attributes = {
      Path: '/',
      SameSite: 'Lax',
      'Max-Age': String(7 * DAY),
      Secure: undefined,
      Domain: 'shop.test',
    };
    expect(jar.get('svc_click_id')?.attributes).toStrictEqual(attributes);
    expect(jar.get('svc_partner')?.attributes).toStrictEqual(attributes);
  });

  it('is not Secure on http, or a local run would lose it', async () => {
    const { jar } = await visit({ url: 'http://localhost/?aff=ada', service: clickService() });
    expect(jar.get('svc_click_id')?.attributes).not.toHaveProperty('Secure');
  });

  it('lasts 60 days where the service does not say', async () => {
    const service = () => Response.json({ success: true, click_id: 'clk_1' });
    const { jar } = await visit({ url: `${HOME}?aff=ada`, service });
    expect(jar.get('svc_click_id')?.attributes['Max-Age']).toBe(String(60 * DAY));
  });

  it.each(['cust_42_1714000000000', '42', 'x'.repeat(255), 'a b/c+d=e%20', 'clk_ä; Domain=evil.test'])(
    'keeps the opaque click ID %s as it is, and encoded, so that it cannot add an attribute',
    async (clickId) => {
      const service = () => Response.json({ success: true, click_id: clickId });
      const { jar, capture } = await visit({ url: `${HOME}?aff=ada`, service });
      expect(capture().getClickId()).toBe(clickId);
      expect(jar.get('svc_click_id')).toMatchObject({ value: encodeURIComponent(clickId), domain: 'shop.test' });
    },
  );

  it('is found among others whose names resemble it', async () => {
    const jar = createCookieJar();
    const others = ['xsvc_click_id=no', 'my-svc_click_id=no', 'svc_click_id2=no', 'z=svc_click_id=no'];
    for (const cookie of [...others.slice(0, 2), 'svc_click_id=clk_9', ...others.slice(2)]) {
      jar.write('shop.test', cookie);
    }
    expect((await visit({ url: HOME, jar })).capture().getClickId()).toBe('clk_9');
  });

  it('counts as none where its value cannot be decoded', async () => {
    const jar = createCookieJar();
    jar.write('shop.test', 'svc_click_id=%E0%A4%A');
    const page = await visit({ url: HOME, jar });
    expect(page.capture().getClickId()).toBeNull();
    expect(page.errors).toEqual([]);
  });
});

describe('the domain of the cookie', () => {
  it.each([
    ['www.shop.test', 'shop.test'],
    ['a.b.shop.test', 'shop.test'],
    ['www.shop.co.uk', 'shop.co.uk'],
    ['www.shop.localhost', 'shop.localhost'],
  ])('on %s is the widest that the browser accepts: %s', async (host, domain) => {
    const { jar } = await visit({ url: `https://${host}/?aff=ada`, service: clickService() });
    expect(jar.get('svc_click_id')).toMatchObject({ domain, isHostOnly: false });
    expect(jar.get('svc_partner')).toMatchObject({ domain, isHostOnly: false });
  });

  it('lets a click on www count for a sign-up on app', async () => {
    const { jar } = await visit({ url: 'https://www.shop.test/?aff=ada', service: clickService() });
    expect((await visit({ url: 'https://app.shop.test/', jar })).capture().getClickId()).toBe('clk_1');
  });

  it('is none on localhost: the cookie is host-only', async () => {
    const { jar } = await visit({ url: 'http://localhost/?aff=ada', service: clickService() });
    expect(jar.get('svc_click_id')).toMatchObject({ domain: 'localhost', isHostOnly: true });
  });

  it('can be set to one domain', async () => {
    const dataset = { cookieDomain: 'eu.shop.test' };
    const { jar } = await visit({ url: 'https://www.eu.shop.test/?aff=ada', service: clickService(), dataset });
    expect(jar.get('svc_click_id')).toMatchObject({ domain: 'eu.shop.test', isHostOnly: false });
  });

  it('is the widest also where the option is empty, as an unset variable may be', async () => {
    const dataset = { cookieDomain: '' };
    const { jar } = await visit({ url: 'https://www.shop.test/?aff=ada', service: clickService(), dataset });
    expect(jar.get('svc_click_id')).toMatchObject({ domain: 'shop.test', isHostOnly: false });
  });

  it.each(['host-only', 'other.test'])('is none for the option "%s" on www.shop.test', async (cookieDomain) => {
    const url = 'https://www.shop.test/?aff=ada';
    const { jar } = await visit({ url, service: clickService(), dataset: { cookieDomain } });
    expect(jar.get('svc_click_id')).toMatchObject({ domain: 'www.shop.test', isHostOnly: true });
    expect((await visit({ url: 'https://app.shop.test/', jar })).capture().getClickId()).toBeNull();
  });

  it('is probed for a click only: a page without one stores nothing', async () => {
    const { jar } = await visit({ url: 'https://www.shop.test/', service: clickService() });
    expect(jar.names()).toEqual([]);
  });

  it('leaves the probe for seconds', async () => {
    const { jar } = await visit({ url: 'https://www.shop.test/?aff=ada', service: clickService() });
    expect(Number(jar.get('svc_domain')?.attributes['Max-Age'])).toBeLessThan(10);
  });
});

describe('a host-only cookie of an earlier version', () => {
  const url = 'https://www.shop.test/?aff=grace';

  it('is used as long as there is no newer click', async () => {
    const jar = createCookieJar();
    jar.write('www.shop.test', 'svc_click_id=clk_old;Path=/');
    expect((await visit({ url: 'https://www.shop.test/', jar })).capture().getClickId()).toBe('clk_old');
  });

  it('is expired by a new click, so that servers do not read it first', async () => {
    const jar = createCookieJar();
    jar.write('www.shop.test', 'svc_click_id=clk_old;Path=/');
    jar.write('www.shop.test', 'svc_partner=prg_1ada;Path=/');
    const { capture } = await visit({ url, jar, service: clickService() });
    expect(capture().getClickId()).toBe('clk_1');
    expect(jar.get('svc_click_id')).toMatchObject({ value: 'clk_1', domain: 'shop.test' });
    expect(jar.get('svc_partner')).toMatchObject({ value: 'prg_1grace', domain: 'shop.test' });
  });

  it('does not hide a newer click that another host of the site has made', async () => {
    const jar = createCookieJar();
    jar.write('app.shop.test', 'svc_click_id=clk_old;Path=/');
    await visit({ url, jar, service: clickService() });
    expect((await visit({ url: 'https://app.shop.test/', jar })).capture().getClickId()).toBe('clk_1');
  });
});

describe('with a first-party handler', () => {
  const url = 'https://www.shop.test/?aff=ada';
  const dataset = { clickUrl: '/svc/click' };

  it('the request carries the domain on which the cookie may stand', async () => {
    const jar = createCookieJar();
    const carried: string[] = [];
    const service = () => {
      carried.push(jar.read('www.shop.test'));
      return Response.json({ success: true, click_id: 'clk_1' });
    };
    await visit({ url, jar, service, dataset });
    expect(carried).toEqual(['svc_domain=shop.test']);
  });

  it('the cookie that the response has set is not written again: Safari would shorten its life', async () => {
    const jar = createCookieJar();
    const service = () => {
      jar.write('www.shop.test', 'svc_click_id=clk_1;Path=/;Max-Age=99;Domain=shop.test');
      return Response.json({ success: true, click_id: 'clk_1' });
    };
    await visit({ url, jar, service, dataset });
    expect(jar.get('svc_click_id')?.attributes['Max-Age']).toBe('99');
  });

  it('the script writes the cookie where the response has not', async () => {
    const page = openPage({ url, service: clickService(), dataset });
    page.runScript();
    await page.capture().finish();
    expect(page.jar.get('svc_click_id')).toMatchObject({ value: 'clk_1', domain: 'shop.test' });
  });
});
