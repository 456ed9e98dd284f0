import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDatabases } from '@/prisma/client';
import { type MisbehavingService, startMisbehavingService } from '@/tests/support/misbehaving-service';
import type { Report } from './report';

let service: MisbehavingService;
beforeEach(async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  service = await startMisbehavingService();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.resetModules();
  await closeDatabases();
  vi.restoreAllMocks();
  await service.stop();
});

const lead = (): Report & { kind: 'lead' } => ({
  kind: 'lead',
  customerExternalId: `user_${randomUUID()}`,
  email: 'ada@example.com',
});

/** Receives a report with the modules of a new process, whose database is at `url`. */
async function receiveWith(url: string, report: Report = lead()) {
  vi.stubEnv('DATABASE_URL', url);
  vi.resetModules();
  await closeDatabases();
  const { receiveReport } = await import('./deliver');
  const { sendReport } = await import('./send');
  const send = (report: Report) => sendReport(service, report);
  return receiveReport(`msg_${randomUUID()}`, report, { delivery: { send, now: () => new Date() } });
}

async function listen(server: Server): Promise<string> {
  server.listen(0, 'localhost');
  await once(server, 'listening');
  return `postgres://localhost:${(server.address() as AddressInfo).port}/shop`;
}

test('docs/decisions/0014: with the database down the report is delivered inline', async () => {
  expect(await receiveWith('postgres://localhost:1/shop')).toBe('accepted');
  expect(service.leads.size).toBe(1);
});

test('a database that accepts connections and never responds counts as down', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket));
  const url = await listen(silent);
  expect(await receiveWith(url)).toBe('accepted');
  expect(service.leads.size).toBe(1);
  for (const socket of sockets) socket.destroy();
  silent.close();
});

test('503 where neither the database nor the service can be reached', async () => {
  service.behave(() => ({ status: 503 }));
  expect(await receiveWith('postgres://localhost:1/shop')).toBe('unavailable');
});

test('an erasure is asked for again: sent only, it would leave the email address in reports that are stored', async () => {
  const erasure = { kind: 'erasure' as const, customerExternalId: lead().customerExternalId };
  expect(await receiveWith('postgres://localhost:1/shop', erasure)).toBe('unavailable');
});

test('an email address is not sent: the user may have been erased, which only the database knows', async () => {
  const report = { ...lead(), clickId: 'cust_42' };
  expect(await receiveWith('postgres://localhost:1/shop', report)).toBe('accepted');
  expect(service.calls.map(({ body }) => body)).toEqual([
    { customer_key: report.customerExternalId, click_id: report.clickId },
  ]);
});

test('the message about it names the report and no email address', async () => {
  await receiveWith('postgres://localhost:1/shop');
  const messages = vi.mocked(console.error).mock.calls.flat().join();
  expect(messages).toMatch(/kind="lead" id="msg_/);
  expect(messages).not.toContain('ada@example.com');
});

test.each([
  [400, 'invalid_request', 'accepted', /needs an operator kind="lead" id="msg_.+ state="dead" .+ status=400/],
  [401, 'invalid_key', 'unavailable', /needs an operator kind="lead" id="msg_.+ state="pending" .+ status=401/],
  [400, 'unknown_click', 'accepted', null],
] as const)('no row will show it, so the log has what the service said: %i %s', async (status, code, result, alarm) => {
  const info = vi.spyOn(console, 'info').mockReturnValue();
  service.behave(() => ({ status, body: { error: 'As told.', code } }));
  const { email: _email, ...withoutEmail } = lead();
  expect(await receiveWith('postgres://localhost:1/shop', { ...withoutEmail, clickId: 'cust_42' })).toBe(result);
  const alarms = vi
    .mocked(console.error)
    .mock.calls.flat()
    .filter((line) => line.includes('needs an operator'));
  expect(alarms).toEqual(alarm ? [expect.stringMatching(alarm)] : []);
  expect(info.mock.calls.flat().filter((line) => line.includes('outbox: attempt'))).toHaveLength(alarm ? 0 : 1);
});
