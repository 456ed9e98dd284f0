import { afterEach, describe, expect, test } from 'vitest';
import { readJson, readText } from './http/read-body';
import { isOutFor, listOutages, setOutage } from './outage';

afterEach(() => {
  for (const about of listOutages()) setOutage(about, false);
});

const post = (body: object) =>
  new Request('http://localhost/', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });

describe('an outage', () => {
  test('of everyone answers every body with 503, and nothing when it is over', async () => {
    setOutage('', true);
    expect(await readJson(post({ customer_key: 'user_1' }))).toMatchObject({ code: 'store_unavailable' });
    expect(await readText(post({}))).toMatchObject({ code: 'store_unavailable' });
    setOutage('', false);
    expect(await readJson(post({ customer_key: 'user_1' }))).toMatchObject({ ok: true });
  });

  test('of one customer leaves everybody else alone', () => {
    setOutage('ada@example.com', true);
    expect(isOutFor('{"email":"ada@example.com"}')).toBe(true);
    expect(isOutFor('{"email":"grace@example.com"}')).toBe(false);
  });
});
