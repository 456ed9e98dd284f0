import { describe, expect, test } from 'vitest';
import { profileSchema } from './profile';
import { findAppIds, findPlaces, findProviderIds, findSubjects, mentions, type Part } from './trace-ids';

const profile = profileSchema.parse({ ids: [{ label: 'Click ID', fields: ['svc_click_id', 'click_id'] }] });
const values = (text: string) => findAppIds(text, profile).map(({ value }) => value);
const part = (body = '', headers: Record<string, string> = {}) => ({ headers, body });

describe('an ID of the app is found by the name of its field', () => {
  test.each([
    ['JSON', '{"click_id":"cust_42_17","other":"x"}'],
    ['a form', 'mode=payment&click_id=cust_42_17'],
    ['a nested form field', 'subscription_data[metadata][svc_click_id]=cust_42_17&mode=subscription'],
    ['an encoded form field', 'metadata%5Bsvc_click_id%5D=cust_42_17'],
    ['JSON inside a form', 'email=a&unsafe_metadata=%7B%22svc_click_id%22%3A%22cust_42_17%22%7D'],
    [
      'JSON inside a form, beside a malformed escape',
      'unsafe_metadata=%7B%22svc_click_id%22%3A%22cust_42_17%22%7D&q=50%',
    ],
    ['a query with an encoded quote and a malformed escape', '/search?q=%2250%%22&click_id=cust_42_17'],
    ['a query', '/api/v1/events?click_id=cust_42_17&limit=1'],
  ])('in %s', (_, text) => {
    expect(values(text)).toEqual(['cust_42_17']);
  });

  test('and not where only a part of the name is the same', () => {
    expect(values('{"existing_click_id_count":"3","my_click_ids":"x"}')).toEqual([]);
  });
});

test('IDs of the providers are found by their form; names of fields are none', () => {
  const text = '"customer":"cus_uqjtghD2CVzcRP","session":"cs_test_7Gb1RIyQLUJktaI7","user_settings":{},"sub_total":1';
  expect(findProviderIds(text)).toEqual(['cus_uqjtghD2CVzcRP', 'cs_test_7Gb1RIyQLUJktaI7']);
});

describe('what a message shares with others of its visitor', () => {
  test('is in its path, its bodies and its cookies', () => {
    const message = {
      path: '/v1/subscriptions?customer=cus_uqjtghD2CVzcRP',
      request: part('email=Ada%40example.com', { cookie: 'a=b; svc_click_id=clk_1; c=d' }),
      response: part('{"id":"sub_LYzzKKysXLMi1"}'),
    };
    expect(findSubjects(message, profile)).toEqual([
      'clk_1',
      'cus_uqjtghD2CVzcRP',
      'ada@example.com',
      'sub_LYzzKKysXLMi1',
    ]);
  });

  test('is the ID of its request, as sent or as returned', () => {
    const id = '0d1f7a3e-5b7c-4c5e-9a57-2f6f1f0c9f11';
    const carrying = part('', { 'x-request-id': id });
    const find = (request: Part, response: Part) => findSubjects({ path: '/api', request, response }, profile);
    expect([find(carrying, part()), find(part(), carrying), find(carrying, carrying)]).toEqual([[id], [id], [id]]);
    expect(find(part('', { 'x-request-id': '1' }), part()), 'others may send the same').toEqual([]);
  });

  test.each([
    '{"object": "list", "data": [{"id":"cus_uqjtghD2CVzcRP"}]}',
    '{"data":[{"id":"cus_uqjtghD2CVzcRP"}]}',
    '[{"id":"cus_uqjtghD2CVzcRP"}]',
  ])('is not in a list, which has other visitors in it: %s', (body) => {
    expect(findSubjects({ path: '/v1/customers', request: part(), response: part(body) }, profile)).toEqual([]);
  });
});

test.each(['text/x-component', 'text/csv; charset=utf-8'])(
  'a response of the type %s, which shows other people, says nothing about its visitor',
  (type) => {
    const response = part('{"email":"stranger@example.com"}', { 'content-type': type });
    expect(findSubjects({ path: '/dashboard', request: part(), response }, profile)).toEqual([]);
  },
);

describe('a text mentions an address as a whole', () => {
  test.each([
    ['JSON', '{"email":"A@Example.com"}'],
    ['an encoded form', 'name=x&email=a%40example.com&x=y'],
    ['JSON inside a form', 'metadata=%7B%22email%22%3A%22a%40example.com%22%7D&off=100%'],
    ['a sentence', 'There is a user a@example.com.'],
  ])('in %s', (_, text) => {
    expect(mentions(text, 'a@example.com')).toBe(true);
  });

  test.each([
    '{"email":"ada@example.com"}',
    'email=x.a%40example.com',
    'email=x%2Ba%40example.com',
    'email=%C3%BCa%40example.com',
    '{"email":"a@example.com.au"}',
    '{"email":"a@example.community"}',
  ])('and not where it is a part of another: %s', (text) => {
    expect(mentions(text, 'a@example.com')).toBe(false);
  });
});

test('a place is the object around an ID, with the name of its field', () => {
  const event = {
    object: 'event',
    id: 'evt_1',
    data: {
      object: {
        object: 'invoice',
        id: 'in_1',
        parent: { subscription_details: { metadata: { svc_click_id: 'clk_1' } } },
      },
    },
  };
  expect(findPlaces(JSON.stringify(event), 'clk_1')).toEqual([
    { object: 'invoice', id: 'in_1', field: 'metadata.svc_click_id' },
  ]);
  expect(findPlaces('no JSON', 'clk_1')).toEqual([]);
});

test('a long body without an ID is read in linear time', () => {
  const long = part('x'.repeat(2_000_000));
  expect(findSubjects({ path: '/', request: long, response: long }, profile)).toEqual([]);
});
