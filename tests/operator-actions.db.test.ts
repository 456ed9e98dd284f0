// Each action of the operator's page asks for itself who sends it. Clerk and Next are told what a request would tell them.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PLANS } from '@/lib/integration/plans';
import { requestTransfer, saleEntryId } from '@/lib/shop/transfers';
import { database } from '@/prisma/client';
import { type MisbehavingService, startMisbehavingService } from '@/tests/support/misbehaving-service';

const operator = `user_${randomUUID()}`;
const customer = `user_${randomUUID()}`;
let user: string;
let service: MisbehavingService;
let actions: typeof import('@/app/(shop)/(account)/operator/actions');

beforeAll(async () => {
  service = await startMisbehavingService();
  vi.stubEnv('APP_URL', 'https://shop.example');
  vi.stubEnv('NEXT_PUBLIC_SVC_PROGRAM_ID', 'prg_test');
  vi.stubEnv('NEXT_PUBLIC_SVC_BASE_URL', service.baseUrl);
  vi.stubEnv('SVC_API_KEY', service.apiKey);
  vi.stubEnv('OPERATOR_USER_IDS', operator);
  vi.doMock('@clerk/nextjs/server', () => ({ auth: { protect: async () => ({ userId: user }) } }));
  vi.doMock('next/headers', () => ({ headers: async () => new Headers({ host: 'shop.example' }) }));
  vi.doMock('next/cache', () => ({ refresh: () => {} }));
  vi.resetModules();
  actions = await import('@/app/(shop)/(account)/operator/actions');
});

afterAll(async () => {
  for (const name of ['@clerk/nextjs/server', 'next/headers', 'next/cache']) vi.doUnmock(name);
  vi.unstubAllEnvs();
  vi.resetModules();
  await service.stop();
});

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

test('an operator marks a transfer as paid and reports it again; a customer does neither, and learns nothing', async () => {
  const invoiceId = await requestTransfer(customer, PLANS[1], new Date());
  const paidAt = async () => (await database().shopTransfer.findUniqueOrThrow({ where: { invoiceId } })).paidAt;
  const transfer = formOf({ invoiceId });
  const report = formOf({ entryId: saleEntryId(invoiceId) });
  const NOT_FOUND = 'NEXT_HTTP_ERROR_FALLBACK;404';

  user = customer;
  await expect(actions.markPaid(transfer)).rejects.toThrow(NOT_FOUND);
  expect(await paidAt()).toBeNull();

  user = operator;
  await actions.markPaid(transfer);
  expect(await paidAt()).not.toBeNull();
  expect(service.calls).toHaveLength(1);

  user = customer;
  await expect(actions.reportAgain(transfer)).rejects.toThrow(NOT_FOUND);
  await expect(actions.retryReport(report)).rejects.toThrow(NOT_FOUND);
  expect(service.calls).toHaveLength(1);

  user = operator;
  await actions.reportAgain(transfer);
  await actions.retryReport(report);
  expect(service.calls).toHaveLength(3);
});
