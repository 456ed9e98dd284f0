// What each form of the dashboard changes, in the program of its session. Next is told what a request would tell it; all else is real.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { database } from '@/prisma/client';
import { aProgram } from '@/tests/support/program';
import { hashSecret } from '../api-key';
import type { ActionResult } from './action-result';
import { findAccessByKey, insertSession } from './session-queries';

type Action = (state: ActionResult, form: FormData) => Promise<ActionResult>;
/** `programId` is that of the page with the form. */
type Sender = { token?: string; origin?: string; programId?: string };

const ORIGIN = 'https://partners.example';
let sender: Sender;
let settings: typeof import('./settings-actions');
let partners: typeof import('./partner-actions');
let signIns: typeof import('./sign-in-actions');

beforeAll(async () => {
  vi.stubEnv('APP_URL', ORIGIN);
  vi.doMock('next/headers', () => ({
    cookies: async () => new Map([['__Host-svc_dashboard', { value: sender.token }]]),
    headers: async () => new Headers({ host: 'partners.example', origin: sender.origin ?? ORIGIN }),
  }));
  vi.doMock('next/cache', () => ({ refresh: () => {} }));
  vi.doMock('next/server', () => ({ connection: async () => {} }));
  vi.resetModules();
  settings = await import('./settings-actions');
  partners = await import('./partner-actions');
  signIns = await import('./sign-in-actions');
});

afterAll(() => {
  for (const name of ['next/headers', 'next/cache', 'next/server']) vi.doUnmock(name);
  vi.unstubAllEnvs();
  vi.resetModules();
});

async function aSession() {
  const { programId, apiKey } = await aProgram();
  const access = await findAccessByKey(hashSecret(apiKey), new Date());
  if (!access) throw new Error('The key opens no dashboard.');
  const token = randomBytes(32).toString('base64url');
  await insertSession(access, hashSecret(token), new Date(Date.now() + 60_000));
  return { programId, token };
}

function send(action: Action, fields: Record<string, string>, from: Sender): Promise<ActionResult> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ program_id: from.programId ?? '', ...fields })) form.set(name, value);
  sender = from;
  return action({ status: 'idle' }, form);
}

const read = (id: string) =>
  database().program.findUniqueOrThrow({ where: { id }, include: { partners: { orderBy: { code: 'asc' } } } });

const [ADA, GRACE, LINUS] = [
  { code: 'ada', active: true },
  { code: 'grace', active: true },
  { code: 'linus', active: false },
];

/** A form, what is sent with it, and what it leaves in the program. */
const CHANGES: Array<[string, () => Action, Record<string, string>, object]> = [
  [
    'the policy',
    () => settings.changePolicy,
    { lead_auth_policy: 'browser_allowed' },
    { leadAuthPolicy: 'browser_allowed' },
  ],
  [
    'the windows',
    () => settings.changeWindows,
    { cookie_window_days: '1', attribution_window_days: '365' },
    { cookieWindowDays: 1, attributionWindowDays: 365 },
  ],
  ['a pause', () => settings.changePause, { paused: 'true' }, { paused: true }],
  [
    'a connected account',
    () => settings.changePaymentAccount,
    { mode: 'live', account_id: ' acct_1 ' },
    { paymentAccountId: 'acct_1', paymentMode: 'live' },
  ],
  [
    'the own account of the endpoint',
    () => settings.changePaymentAccount,
    { mode: 'test', account_id: '' },
    { paymentAccountId: null, paymentMode: 'test' },
  ],
  [
    'no account, of which the last one stays known',
    () => settings.changePaymentAccount,
    { mode: 'none', account_id: 'acct_1' },
    { paymentAccountId: 'acct_demo', paymentMode: null },
  ],
  [
    'a new partner',
    () => partners.addPartner,
    { code: ' zoe ', name: '' },
    { partners: [ADA, GRACE, LINUS, { code: 'zoe', name: 'zoe', active: true }] },
  ],
  [
    'a partner who is deactivated',
    () => partners.switchPartner,
    { code: 'ada', active: 'false' },
    { partners: [{ ...ADA, active: false }, GRACE, LINUS] },
  ],
  [
    'a partner’s new name',
    () => partners.changePartnerName,
    { code: 'ada', name: ' Ada Lovelace ' },
    { partners: [{ ...ADA, name: 'Ada Lovelace' }, GRACE, LINUS] },
  ],
  [
    'a partner’s name that is taken away',
    () => partners.changePartnerName,
    { code: 'ada', name: '' },
    { partners: [{ ...ADA, name: 'ada' }, GRACE, LINUS] },
  ],
];

test.each(CHANGES)('%s is stored, for the program of the session alone', async (_, action, fields, stored) => {
  const [own, other] = await Promise.all([aSession(), aSession()]);
  const [before, otherBefore] = await Promise.all([read(own.programId), read(other.programId)]);
  expect(before).not.toMatchObject(stored);
  expect(await send(action(), fields, own)).toMatchObject({ status: 'done' });
  expect(await read(own.programId)).toMatchObject(stored);
  expect(await read(other.programId)).toEqual(otherBefore);
});

test.each(CHANGES)('%s is refused without a session, and from another site', async (_, action, fields) => {
  const { programId, token } = await aSession();
  const before = await read(programId);
  expect(await send(action(), fields, { programId })).toEqual({
    status: 'failed',
    message: 'You are signed out. Sign in again and repeat the change.',
  });
  expect(await send(action(), fields, { token, programId, origin: 'https://evil.example' })).toEqual({
    status: 'failed',
    message: 'This form was sent from another site. Open the dashboard and try again from there.',
  });
  expect(await read(programId)).toEqual(before);
});

test.each(CHANGES)('%s is refused where another tab has opened another program since', async (_, action, fields) => {
  const [left, opened] = await Promise.all([aSession(), aSession()]);
  const before = await Promise.all([read(left.programId), read(opened.programId)]);
  expect(await send(action(), fields, { token: opened.token, programId: left.programId })).toEqual({
    status: 'failed',
    message: 'You have opened another program in this browser. Reload the page and try again.',
  });
  expect(await Promise.all([read(left.programId), read(opened.programId)])).toEqual(before);
});

test.each<[string, () => Action, Record<string, string>]>([
  ['a policy that does not exist', () => settings.changePolicy, { lead_auth_policy: 'none' }],
  ['no days', () => settings.changeWindows, { cookie_window_days: '0', attribution_window_days: '60' }],
  ['too many days', () => settings.changeWindows, { cookie_window_days: '60', attribution_window_days: '366' }],
  ['half a day', () => settings.changeWindows, { cookie_window_days: '1.5', attribution_window_days: '60' }],
  ['a pause of no value', () => settings.changePause, { paused: '' }],
  ['an account of 256 characters', () => settings.changePaymentAccount, { mode: 'live', account_id: 'a'.repeat(256) }],
  ['a mode that does not exist', () => settings.changePaymentAccount, { mode: 'both', account_id: '' }],
  ['a blank code', () => partners.addPartner, { code: ' ', name: 'Zoe' }],
  ['a code of 256 characters', () => partners.addPartner, { code: 'z'.repeat(256), name: 'Zoe' }],
  ['a code with a line break', () => partners.addPartner, { code: 'z\noe', name: 'Zoe' }],
  ['a name of 61 characters', () => partners.addPartner, { code: 'zoe', name: 'z'.repeat(61) }],
  ['a code that is taken', () => partners.addPartner, { code: 'linus', name: 'Another' }],
  ['an unknown partner', () => partners.switchPartner, { code: 'zoe', active: 'true' }],
  ['a new name of an unknown partner', () => partners.changePartnerName, { code: 'zoe', name: 'Zoe' }],
  ['a new name of 61 characters', () => partners.changePartnerName, { code: 'ada', name: 'z'.repeat(61) }],
])('%s changes nothing', async (_, action, fields) => {
  const { programId, token } = await aSession();
  const before = await read(programId);
  expect(await send(action(), fields, { token, programId })).toMatchObject({
    status: 'failed',
    message: expect.stringMatching(/\w/),
  });
  expect(await read(programId)).toEqual(before);
});

const windowsOf = (session: Awaited<ReturnType<typeof aSession>>) => (cookie: string, attribution: string) =>
  send(settings.changeWindows, { cookie_window_days: cookie, attribution_window_days: attribution }, session);

test('a cookie that outlives the attribution window is stored, with a warning', async () => {
  const change = windowsOf(await aSession());
  expect(await change('60', '60')).toEqual({ status: 'done', message: 'Saved.' });
  expect(await change('61', '60')).toMatchObject({ message: expect.stringContaining('not attributed') });
});

test('an attribution window shorter than the cookies set before it is stored, with a warning', async () => {
  const change = windowsOf(await aSession());
  expect(await change('60', '60')).toEqual({ status: 'done', message: 'Saved.' });
  expect(await change('30', '30')).toMatchObject({ message: expect.stringContaining('not attributed') });
  expect(await change('20', '30')).toEqual({ status: 'done', message: 'Saved.' });
});

test('signing in again ends the session before it, and a key that opens nothing does not', async () => {
  const [before, { programId, apiKey }] = [await aSession(), await aProgram()];
  const sessionsOf = (programId: string) => database().dashboardSession.count({ where: { programId } });
  expect(await send(signIns.signIn, { api_key: 'svc_sk_unknown' }, before)).toMatchObject({ status: 'failed' });
  expect(await sessionsOf(before.programId)).toBe(1);
  await expect(send(signIns.signIn, { api_key: apiKey }, before)).rejects.toThrow('NEXT_REDIRECT');
  expect([await sessionsOf(before.programId), await sessionsOf(programId)]).toEqual([0, 1]);
});

/** In hours, to the nearest. */
const hoursUntil = (time: Date | null) => Math.round(((time?.getTime() ?? 0) - Date.now()) / 3_600_000);

test('a session ends after twelve hours, and a key that is replaced a day later', async () => {
  const { programId, apiKey } = await aProgram();
  await expect(send(signIns.signIn, { api_key: apiKey }, {})).rejects.toThrow('NEXT_REDIRECT');
  const where = { programId };
  expect(hoursUntil((await database().dashboardSession.findFirstOrThrow({ where })).expiresAt)).toBe(12);
  const session = await aSession();
  const key = () =>
    database().apiKey.findFirstOrThrow({ where: { programId: session.programId }, orderBy: { createdAt: 'asc' } });
  expect((await key()).expiresAt).toBeNull();
  await send(settings.rotateApiKey, { key_id: (await key()).id }, session);
  expect(hoursUntil((await key()).expiresAt)).toBe(24);
});

test('a key that is being replaced creates and rotates none that would outlive it, and the last lasting one stays', async () => {
  const session = await aSession();
  const keys = () =>
    database().apiKey.findMany({ where: { programId: session.programId }, orderBy: { createdAt: 'asc' } });
  const [old] = await keys();
  await send(settings.rotateApiKey, { key_id: old?.id ?? '' }, session);
  const [, replacement, ...others] = await keys();
  expect(others).toEqual([]);
  const refused = { status: 'failed', message: expect.stringContaining('is being replaced') };
  expect(await send(settings.createApiKey, { label: 'Mine', access: 'full' }, session)).toMatchObject(refused);
  const ofReplacement = { key_id: replacement?.id ?? '' };
  expect(await send(settings.rotateApiKey, ofReplacement, session)).toMatchObject(refused);
  expect(await send(settings.revokeApiKey, ofReplacement, session)).toMatchObject({ status: 'failed' });
  expect(await keys()).toHaveLength(2);
});
