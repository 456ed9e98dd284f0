import { describe, expect, test } from 'vitest';
import { database } from '@/prisma/client';
import { aProgram, type TestProgram } from '@/tests/support/program';
import { unique } from '@/tests/support/unique';
import { hashSecret } from '../api-key';
import type { NewProgram } from '../create-program';
import type { Caller } from '../http/caller';
import { createId } from '../ids';
import { leadBody } from '../schemas';
import { recordLead } from './record-lead';

const NOW = new Date('2026-11-01T12:00:00Z');
const DAY = 86_400_000;
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY);

const browser = (): Caller => ({ credentials: { mode: 'browser' }, address: unique('a'), now: NOW });
const server = ({ apiKey }: TestProgram): Caller => ({
  credentials: { mode: 'server', keyHash: hashSecret(apiKey) },
  address: unique('a'),
  now: NOW,
});
const lead = (caller: Caller, body: object) => recordLead(leadBody.parse(body), caller);

async function aClick(options: Partial<NewProgram> = {}, createdAt = NOW) {
  const program = await aProgram(options);
  const { programId } = program;
  const partner = await database().partner.findFirstOrThrow({ where: { programId, code: 'ada' } });
  const clickId = createId('clk');
  await database().click.create({
    data: { id: clickId, programId, partnerId: partner.id, affiliateUrl: 'https://shop.example/?aff=ada', createdAt },
  });
  return { program, programId, clickId };
}

/** Every text that stands in any record of a program. */
async function everythingOf(programId: string): Promise<string> {
  const where = { programId };
  const tables = await Promise.all([
    database().lead.findMany({ where }),
    database().provisionalLead.findMany({ where }),
    database().trackingEvent.findMany({ where }),
    database().click.findMany({ where }),
  ]);
  return JSON.stringify(tables);
}

describe('§3 a browser signup on a server-verified program', () => {
  test('the user ID is not saved, and neither is the email: no record holds them', async () => {
    const { programId, clickId } = await aClick();
    const body = { program_id: programId, customer_key: unique('user'), click_id: clickId, email: 'ada@example.com' };
    expect(await lead(browser(), body)).toMatchObject({ body: { provisional: true } });
    const stored = await everythingOf(programId);
    expect(stored).toContain(clickId);
    expect(stored).not.toContain(body.customer_key);
    expect(stored).not.toContain(body.email);
  });

  test('a repeat records nothing new', async () => {
    const { programId, clickId } = await aClick();
    const body = { program_id: programId, customer_key: unique('user'), click_id: clickId };
    await lead(browser(), body);
    const before = await everythingOf(programId);
    await lead(browser(), { ...body, customer_key: unique('user') });
    expect(await everythingOf(programId)).toBe(before);
  });

  test('it neither counts nor pays per lead, until the server settles it', async () => {
    const { program, programId, clickId } = await aClick();
    const body = { customer_key: unique('user'), click_id: clickId };
    await lead(browser(), { ...body, program_id: programId });
    const count = () => database().dailyCount.findFirst({ where: { programId } });
    expect(await count()).toMatchObject({ leads: 0, provisional: 1, provisionalSettled: 0 });
    await lead(server(program), { ...body, email: 'ada@example.com' });
    expect(await count()).toMatchObject({ leads: 1, provisional: 1, provisionalSettled: 1 });
  });

  test('one provisional lead that many settle at once is settled once', async () => {
    const { program, programId, clickId } = await aClick();
    await lead(browser(), { program_id: programId, customer_key: 'x', click_id: clickId });
    const customers = Array.from({ length: 10 }, () => unique('user'));
    await Promise.all(customers.map((customer_key) => lead(server(program), { customer_key, click_id: clickId })));
    expect(await database().dailyCount.findFirst({ where: { programId } })).toMatchObject({
      leads: 10,
      provisionalSettled: 1,
    });
  });
});

describe('a program that becomes browser_allowed', () => {
  test('settles a provisional lead from before on the next browser signup', async () => {
    const { programId, clickId } = await aClick();
    const body = { program_id: programId, customer_key: unique('user'), click_id: clickId };
    await lead(browser(), body);
    await database().program.update({ where: { id: programId }, data: { leadAuthPolicy: 'browser_allowed' } });
    expect(await lead(browser(), body)).toMatchObject({ ok: true, body: { lead_id: expect.any(String) } });
    expect(await database().provisionalLead.count({ where: { programId, settledAt: null } })).toBe(0);
  });
});

test('a click of another program is an unknown click: nothing is recorded', async () => {
  const [{ clickId }, other] = [await aClick(), await aProgram()];
  const customerKey = unique('user');
  const refused = { ok: false, code: 'unknown_click' };
  expect(await lead(server(other), { customer_key: customerKey, click_id: clickId })).toMatchObject(refused);
  expect(await everythingOf(other.programId)).not.toContain(customerKey);
});

describe('the attribution window', () => {
  test('a click is valid until it has passed', async () => {
    const { program, clickId } = await aClick({ attributionWindowDays: 30 }, new Date(daysAgo(30).getTime() + 1));
    expect(await lead(server(program), { customer_key: unique('user'), click_id: clickId })).toMatchObject({
      ok: true,
    });
  });

  test('after it, the click is unknown', async () => {
    const { program, clickId } = await aClick({ attributionWindowDays: 30 }, daysAgo(30));
    const response = await lead(server(program), { customer_key: unique('user'), click_id: clickId });
    expect(response).toMatchObject({ ok: false, code: 'unknown_click' });
  });
});

describe('§5 the program API key', () => {
  const settles = async (change: object) => {
    const { program, programId, clickId } = await aClick();
    await database().apiKey.updateMany({ where: { programId }, data: change });
    return lead(server(program), { customer_key: unique('user'), click_id: clickId });
  };

  test('a key that expires later is valid', async () => {
    expect(await settles({ expiresAt: new Date(NOW.getTime() + 1) })).toMatchObject({ ok: true });
  });

  test.each([
    ['expired', { expiresAt: NOW }],
    ['revoked', { revokedAt: NOW }],
  ])('a key that is %s is not', async (_, change) => {
    expect(await settles(change)).toMatchObject({ ok: false, code: 'invalid_api_key' });
  });
});
