import { describe, expect, test } from 'vitest';
import { aProgram, changeProgram, isRemote } from '../support/program';
import { ours, REFUSED, request, SUCCESS, serviceFor, UNAUTHORIZED } from '../support/service-client';
import { unique } from '../support/unique';

const local = test.skipIf(isRemote);

describe('§1 Click capture', () => {
  test('a visitor who arrives with the aff query parameter makes a click', async () => {
    const program = await aProgram();
    const { status, body } = await serviceFor(program).click(program.partners.ada);
    expect(status).toEqual(SUCCESS);
    expect(body).toMatchObject(ours({ success: true, partner_code: program.partners.ada }));
    expect(body.click_id).toMatch(isRemote ? /^\P{C}{1,255}$/u : /^\w{20,255}$/);
  });

  test('the tracker’s call needs no preflight, and a page of another site can read the response', async () => {
    const program = await aProgram();
    const origin = 'https://shop.example';
    const body = JSON.stringify({
      ...{ program_id: program.programId, affiliate_url: `${origin}/?aff=${program.partners.ada}` },
      ...{ referrer_url: '', existing_click_id: null },
    });
    const response = await request('/track/click', {
      body,
      headers: { origin, 'content-type': 'text/plain;charset=UTF-8' },
    });
    expect(response.status).toEqual(SUCCESS);
    expect(response.headers.get('access-control-allow-origin')).toEqual(
      isRemote ? expect.toBeOneOf(['*', origin]) : '*',
    );
  });

  local('the answer names the cookie window of the program', async () => {
    const program = await aProgram({ cookieWindowDays: 30 });
    expect((await serviceFor(program).click('ada')).body).toMatchObject({ cookie_window_days: 30 });
  });

  test('two visitors never share a click', async () => {
    const program = await aProgram();
    const service = serviceFor(program);
    const ids = await Promise.all(Array.from({ length: 10 }, () => service.clickId()));
    expect(new Set(ids).size).toBe(10);
  });

  test('a URL without aff is refused, and makes no click', async () => {
    const program = await aProgram();
    const response = await serviceFor(program).click('', { affiliate_url: 'https://shop.example/pricing' });
    expect(response).toMatchObject({ status: REFUSED, body: ours({ code: 'missing_aff' }) });
  });

  test.each(['not a url', '//shop.example/?aff='])('%s is no URL, and is refused', async (url) => {
    const program = await aProgram();
    const response = await serviceFor(program).click('', { affiliate_url: url + program.partners.ada });
    expect(response).toMatchObject({ status: REFUSED, body: ours({ code: 'invalid_url' }) });
  });

  local('javascript:alert(1)?aff=ada is no page: 400', async () => {
    const response = await serviceFor(await aProgram()).click('', { affiliate_url: 'javascript:alert(1)?aff=ada' });
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_url' } });
  });

  test('the code of no partner is refused, and makes no click', async () => {
    const program = await aProgram();
    expect(await serviceFor(program).click(unique('x'))).toMatchObject({
      status: REFUSED,
      body: ours({ code: 'unknown_partner' }),
    });
  });

  test('a program that does not exist is refused, and gets no click', async () => {
    const program = await aProgram();
    const response = await serviceFor(program).click(program.partners.ada, { program_id: 'prg_nowhere' });
    expect(response).toMatchObject({ status: REFUSED, body: ours({ code: 'unknown_program' }) });
  });

  local('while a program is paused no link makes a click, and earlier clicks become leads', async () => {
    const program = await aProgram();
    const service = serviceFor(program);
    const click_id = await service.clickId();
    await changeProgram(program, { paused: true });
    expect(await service.click('ada')).toMatchObject({ status: 200, body: { success: false } });
    expect(await service.events({ kind: 'click' })).toHaveLength(1);
    expect((await service.serverLead({ customer_key: unique('user'), click_id })).status).toBe(200);
    await changeProgram(program, { paused: false });
    expect((await service.click('ada')).body).toMatchObject({ success: true });
  });

  local('an inactive link gets a 200 and makes no click', async () => {
    const service = serviceFor(await aProgram());
    expect(await service.click('linus')).toMatchObject({ status: 200, body: { success: false } });
    expect(await service.events()).toEqual([]);
  });

  local.each(['Bearer svc_sk_wrong', 'Basic c3RhZ2luZzpzZWNyZXQ='])(
    'the authorization %j plays no part: browsers add one of their own behind HTTP Basic authentication',
    async (authorization) => {
      const program = await aProgram();
      const send = (url: string) => {
        const body = JSON.stringify({ affiliate_url: url, program_id: program.programId });
        return request('/track/click', { body, headers: { authorization, 'content-type': 'text/plain' } });
      };
      const { status, body, headers } = await send('https://shop.example/?aff=ada');
      expect({ status, body }).toMatchObject({ status: 200, body: { success: true } });
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(await send('')).toMatchObject({ status: 400, body: { code: 'invalid_body' } });
    },
  );

  local('the last click wins: a new click names the one it takes over from', async () => {
    const service = serviceFor(await aProgram());
    const first = await service.clickId('ada');
    const { body } = await service.click('grace', { existing_click_id: first });
    expect(body).toMatchObject({ success: true, partner_code: 'grace' });
    expect(body.click_id).not.toBe(first);
  });
});

describe('§1 Sales are tracked from the server only', () => {
  test('a sale without the API key is refused', async () => {
    const body = { customer_key: unique('user'), amount_cents: 100, transaction_id: unique('in') };
    expect(await request('/track/sale', { body })).toMatchObject({
      status: UNAUTHORIZED,
      body: ours({ code: 'missing_api_key' }),
    });
  });

  test('no page of another site may send one: no preflight allows it', async () => {
    const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' };
    const response = await request('/track/sale', { method: 'OPTIONS', headers });
    const allowed = response.status < 300 ? response.headers.get('access-control-allow-origin') : null; // browsers ignore it on an error
    expect(allowed).toBeNull();
  });

  local.each(['/track/click', '/track/lead'])('%s answers the preflight, without credentials', async (path) => {
    const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' };
    const response = await request(path, { method: 'OPTIONS', headers });
    const allowed = response.headers.get('access-control-allow-origin');
    expect(allowed).toBe('*');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    expect(response.headers.get('access-control-allow-headers') ?? '').not.toMatch(/authorization/i);
  });
});

describe('§1 Clicks, leads and sales are visible under the tracking events', () => {
  local('each of them is one event, newest first', async () => {
    const service = serviceFor(await aProgram());
    const click_id = await service.clickId();
    const customer_key = unique('user');
    await service.serverLead({ customer_key, click_id });
    await service.sale({ customer_key, transaction_id: unique('in') });
    const events = await service.events();
    expect(events.map(({ kind }) => kind)).toEqual(['sale', 'lead', 'click']);
    for (const event of events) expect(event).toMatchObject({ click_id, partner_code: 'ada', test: false });
  });
});
