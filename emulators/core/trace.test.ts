import { describe, expect, test } from 'vitest';
import { type Message, redact } from './trace';

const message = (path: string, body: string, headers: Record<string, string> = {}): Omit<Message, 'id'> => ({
  at: '2026-11-21T12:00:00.000Z',
  from: 'browser',
  to: 'clerk',
  method: 'POST',
  path,
  status: 200,
  duration_ms: 1,
  request: { headers, body },
  response: { headers: {}, body: '' },
});

describe('what is recorded holds no', () => {
  test.each([
    ['password in a form', 'email=ada%40example.com&password=hunter22&x=1', 'hunter22'],
    ['new password', 'new_password=hunter22', 'hunter22'],
    ['card number or CVC', 'number=4242+4242+4242+4242&cvc=123&name=Ada', '4242'],
    ['account number', 'routing_number=110000000&account_number=000123456789', '000123456789'],
    ['secret in JSON', '{"id":"we_1","secret":"whsec_abcdefghijkl"}', 'abcdefghijkl'],
    ['token in JSON', '{"jwt":"eyJhbGciOiJSUzI1NiJ9.e30.sig\\"x","id":1}', 'eyJ'],
    ['API key anywhere', 'the key sk_test_0123456789 and svc_sk_0123456789', '0123456789'],
  ])('%s', (_, body, secret) => {
    const { request } = redact(message('/', body));
    expect(request.body).not.toContain(secret);
    expect(request.body).toContain('[redacted]');
  });

  test('ticket or handshake in an address', () => {
    const { path } = redact(message('/sign-in?__clerk_ticket=abc123&redirect_url=%2F&__clerk_handshake=def456', ''));
    expect(path).toBe('/sign-in?__clerk_ticket=[redacted]&redirect_url=%2F&__clerk_handshake=[redacted]');
  });

  test('credential in a header', () => {
    const { request } = redact(message('/', '', { Authorization: 'Bearer x', cookie: 'a=b', accept: 'text/html' }));
    expect(request.headers).toEqual({ Authorization: '[redacted]', cookie: '[redacted]', accept: 'text/html' });
  });
});

test('what is no secret stays, such as an invoice number', () => {
  const body = '{"number":"INV-0001","email":"ada@example.com","metadata":{"svc_click_id":"clk_1"}}';
  expect(redact(message('/v1/invoices?limit=3', body)).request.body).toBe(body);
});
