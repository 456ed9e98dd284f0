import { describe, expect, test } from 'vitest';
import { aProgram, isRemote } from '../support/program';
import { REFUSED, request, serviceFor } from '../support/service-client';
import { unique } from '../support/unique';

const local = test.skipIf(isRemote);
const described = { error: expect.stringMatching(/\w.*\.$/), code: expect.stringMatching(/^[a-z_]+$/) };
const endpoints = ['/track/click', '/track/lead', '/track/sale'];

describe('§7 every refusal has the shape {error, code}', () => {
  const malformed: Array<[string, string | Uint8Array]> = [
    ['no JSON', '{"a"'],
    ['nothing', ''],
    ['an array', '[]'],
    ['a string', '"x"'],
    ['null', 'null'],
    ['bad UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
    ['NUL', '{"customer_key":"a\\u0000b","program_id":"a\\u0000","affiliate_url":"\\u0000"}'],
    ['deep nesting', `{"additional_data":${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}}`],
    ['__proto__', '{"__proto__":{"customer_key":"x"},"customer_key":"x"}'],
    ['wrong types', '{"customer_key":{},"affiliate_url":1,"program_id":[],"amount_cents":"x","transaction_id":{}}'],
  ];

  for (const path of endpoints) {
    test.each(malformed)(`400 from ${path} for %s`, async (_, body) => {
      const { key } = serviceFor(await aProgram());
      const headers = { ...(path !== '/track/click' && key), 'content-type': 'application/json' };
      expect(await request(path, { body, headers })).toMatchObject({
        status: REFUSED,
        body: isRemote ? {} : described,
      });
    });

    local(`415 from ${path} for a form`, async () => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      expect(await request(path, { body: 'a=b', headers })).toMatchObject({ status: 415, body: described });
    });

    local.each(['GET', 'PUT', 'PATCH', 'DELETE'])(`405 from ${path} to %s, with Allow`, async (method) => {
      const response = await request(path, { method });
      expect(response).toMatchObject({ status: 405, body: described });
      expect(response.headers.get('allow')).toContain('POST');
    });
  }

  local.each(['', '/', '/track', '/track/clicks', '/../v1/nothing', '/track/sale/1'])(
    '404 for /api/v1%s',
    async (path) => {
      for (const method of ['GET', 'POST'])
        expect(await request(path, { method })).toMatchObject({ status: 404, body: described });
    },
  );
});

describe('§7 a lead without a click ID and with a customer ID the service does not know', () => {
  test('is 400, as for every visitor who was not referred', async () => {
    const { key } = serviceFor(await aProgram());
    expect((await request('/track/lead', { body: { customer_key: unique('user') }, headers: key })).status).toBe(400);
  });
});

describe('§7 200 with provisional: true is not an error', () => {
  test('its body has neither error nor code', async () => {
    const service = serviceFor(await aProgram());
    const { body } = await service.browserLead({ customer_key: unique('user'), click_id: await service.clickId() });
    expect(body).toMatchObject({ provisional: true });
    expect(body).not.toHaveProperty('error');
    expect(body).not.toHaveProperty('code');
  });
});

describe('what a visitor writes is stored as it is, and never run', () => {
  local.each([
    "'; DROP TABLE service_clicks; --",
    '<script>alert(1)</script>',
    '=cmd|/c calc',
    '{{7*7}}',
    '../../etc/passwd',
  ])('%s', async (text) => {
    const service = serviceFor(await aProgram());
    const click = await service.click('ada', { referrer_url: text, page_url: text, existing_click_id: text });
    expect(click.status).toBe(200);
    const lead = await service.serverLead({ customer_key: text, click_id: click.body.click_id });
    expect(lead.status).toBe(200);
    expect(await service.events({ customer: text })).toMatchObject([{ customer_key: text }]);
  });
});
