import { describe, expect, test } from 'vitest';
import { decideReport } from './decide-report';

const clickId = 'clk_3nVq0a9ZbYcXdWeVfUgThS';
const created = (data: object) => ({ type: 'user.created', object: 'event', data: { id: 'user_1', ...data } });

describe('§4 identity-provider signup path: the handler reads the event', () => {
  test('customerExternalId is the provider’s user ID, with the click and the first e-mail address', () => {
    const event = created({
      unsafe_metadata: { svc_click_id: clickId },
      email_addresses: [{ email_address: 'first@example.com' }, { email_address: 'second@example.com' }],
    });
    expect(decideReport(event)).toEqual({
      kind: 'lead',
      customerExternalId: 'user_1',
      clickId,
      email: 'first@example.com',
    });
  });

  test('a user without an e-mail address is a lead all the same', () => {
    const event = created({ unsafe_metadata: { svc_click_id: clickId }, email_addresses: [] });
    expect(decideReport(event)).toEqual({ kind: 'lead', customerExternalId: 'user_1', clickId });
  });

  test('a visitor whom nobody referred is reported without a click', () => {
    const event = created({ unsafe_metadata: { svc_click_id: null }, email_addresses: [] });
    expect(decideReport(event)).toEqual({ kind: 'lead', customerExternalId: 'user_1' });
  });

  test.each([
    ['missing', undefined],
    ['null', null],
    ['an array', ['clk']],
    ['a megabyte', { svc_click_id: 'x'.repeat(1_000_000) }],
    ['an object that names a prototype', JSON.parse('{"__proto__":{"svc_click_id":"clk_aaaaaaaaaaaaaaaaaaaaaa"}}')],
  ])('unsafe_metadata that is %s never refuses the event', (_, unsafe_metadata) => {
    expect(decideReport(created({ unsafe_metadata }))).toEqual({ kind: 'lead', customerExternalId: 'user_1' });
  });

  test('a deleted user is to be forgotten', () => {
    const event = { type: 'user.deleted', data: { id: 'user_1', deleted: true } };
    expect(decideReport(event)).toEqual({ kind: 'erasure', customerExternalId: 'user_1' });
  });

  test.each([
    ['an event that is not ours', { type: 'session.created', data: { id: 'sess_1' } }],
    ['an update', { type: 'user.updated', data: { id: 'user_1' } }],
    ['a user without an ID', { type: 'user.created', data: {} }],
    ['no object', 'user.created'],
    ['null', null],
  ])('%s is nothing to report', (_, event) => {
    expect(decideReport(event)).toBeNull();
  });
});
