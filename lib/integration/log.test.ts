import { ClerkAPIResponseError } from '@clerk/nextjs/errors';
import Stripe from 'stripe';
import { expect, test, vi } from 'vitest';
import { formatLine, logFailure } from './log';

const entry = {
  time: new Date('2026-11-21T10:00:00Z'),
  level: 'info' as const,
  message: 'report delivered',
  fields: { id: 'msg_1', attempts: 2, status: null },
};

test('in production a line is one JSON object', () => {
  expect(JSON.parse(formatLine(entry, true))).toEqual({
    time: '2026-11-21T10:00:00.000Z',
    level: 'info',
    part: 'integration',
    message: 'report delivered',
    id: 'msg_1',
    attempts: 2,
  });
});

test('elsewhere it is a sentence with its fields', () => {
  expect(formatLine(entry, false)).toBe('report delivered id="msg_1" attempts=2');
});

test.each([true, false])('a value cannot begin a line of its own (JSON: %s)', (isJson) => {
  expect(formatLine({ ...entry, fields: { id: 'a\nb' } }, isJson)).not.toContain('\n');
});

test.each([true, false])(
  'an ID that is an email address is left out, and what stands around it stays (JSON: %s)',
  (isJson) => {
    const fields = { customer: 'ada.lovelace+x@mail.example.com', id: 'msg_1' };
    const line = formatLine({ ...entry, fields }, isJson);
    expect(line).not.toMatch(/ada|example/);
    expect(line).toContain('[email]');
    expect(line).toContain('msg_1');
  },
);

test('an address in quotes or before a line break leaves the JSON whole', () => {
  const read = (reason: string) => JSON.parse(formatLine({ ...entry, fields: { reason } }, true)).reason;
  expect(read('say "ada@example.com" please')).toBe('say "[email]" please');
  expect(read('ada@example.com\nnext')).toBe('[email]\nnext');
});

test('the place of a failure in a scoped package is no email address', () => {
  const at = 'at Fn.request (/app/node_modules/@prisma/client/runtime/client.js:67:1)';
  expect(formatLine({ ...entry, fields: { at } }, false)).toContain(at);
});

const unreachable = { message: 'ada’s card', type: 'api_error' as const };
const clerkProblem = { code: 'too_many_requests', message: 'ada' };

test.each([
  [
    'a JavaScript error',
    Object.assign(new TypeError('4242'), { requestId: 'req_1' }),
    'error="TypeError" provider_request_id="req_1"',
  ],
  ['a Stripe error', new Stripe.errors.StripeConnectionError(unreachable), 'error="StripeConnectionError"'],
  [
    'a Clerk error',
    new ClerkAPIResponseError('ada', { data: [clerkProblem], status: 429, clerkTraceId: 'trace_1' }),
    'error="ClerkAPIResponseError" code="too_many_requests" provider_request_id="trace_1"',
  ],
  [
    'an error that wraps another',
    new TypeError('fetch failed', { cause: Object.assign(new Error('ada'), { code: 'ECONNREFUSED' }) }),
    'error="TypeError" code="ECONNREFUSED"',
  ],
  ['a value that is not an error', 'ada', 'error="unknown"'],
])('a failure is logged without its message, which may quote a customer: %s', (_, problem, line) => {
  const error = vi.spyOn(console, 'error').mockReturnValue();
  logFailure('checkout', problem);
  const at = problem instanceof Error ? / at="at .*log\.test\.ts:\d+:\d+\)?"$/ : /$/;
  const logged = String(error.mock.calls);
  expect(logged).toMatch(at);
  expect(logged.replace(at, '')).toBe(`checkout failed ${line}`);
  error.mockRestore();
});
