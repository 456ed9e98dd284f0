import { expect, test } from 'vitest';
import { profileSchema } from '../core/profile';
import type { Message } from '../core/trace';
import { listPlaces } from './id-places';

const profile = profileSchema.parse({
  subjects: [{ label: 'Lead', to: 'service', path: '/lead' }],
});
const message = (id: number, more: Partial<Message>): Message => ({
  ...{
    id,
    at: '2026-11-21T12:00:00.000Z',
    from: 'app',
    to: 'stripe',
    method: 'POST',
    path: '/',
    status: 200,
    duration_ms: 1,
  },
  ...{ request: { headers: {}, body: '' }, response: { headers: {}, body: '' }, subjects: ['clk_1'] },
  ...more,
});
const body = (object: string, id: string) => ({
  headers: {},
  body: JSON.stringify({ object, id, metadata: { svc_click_id: 'clk_1' } }),
});

test('an ID is followed from the cookie to what was reported, each place once', () => {
  const messages = [
    message(1, { cookies: [{ label: 'Click ID', field: 'svc_click_id', value: 'clk_1' }] }),
    message(2, { response: body('checkout.session', 'cs_1') }),
    message(3, { request: body('checkout.session', 'cs_1') }),
    message(4, { to: 'service', path: '/lead' }),
  ];
  const objects = [JSON.stringify({ object: 'invoice', id: 'in_1', metadata: { svc_click_id: 'clk_1' } })];
  expect(listPlaces('clk_1', { objects, messages, profile })).toEqual([
    { label: 'Cookie', field: 'svc_click_id', id: null, message: 1 },
    { label: 'Checkout session', field: 'metadata.svc_click_id', id: 'cs_1', message: 2 },
    { label: 'Lead', field: '/lead', id: null, message: 4 },
    { label: 'Invoice', field: 'metadata.svc_click_id', id: 'in_1', message: null },
  ]);
});

test('a refused report is no place, and an object’s own ID is no reference', () => {
  const messages = [
    message(1, { to: 'service', path: '/lead', status: 400 }),
    message(2, { response: { headers: {}, body: '{"object":"customer","id":"clk_1"}' } }),
  ];
  expect(listPlaces('clk_1', { objects: [], messages, profile })).toEqual([]);
});
