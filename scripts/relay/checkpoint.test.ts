import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../ports.mjs';
import {
  advance,
  doneKey,
  newCheckpoint,
  OVERLAP_MS,
  readCheckpoints,
  windowStart,
  writeCheckpoints,
} from './checkpoint';
import { decideRelayed } from './decide.mjs';
import { decidePause, decideWait, describeError, post } from './endpoints';
import { Relay } from './relay';

const NOW = Date.UTC(2026, 10, 22);
const MINUTE = 60_000;

describe('the checkpoint', () => {
  test('is at the last poll, and the next one overlaps it by five minutes', () => {
    const { since } = advance(newCheckpoint(NOW), NOW + MINUTE, []);
    expect(since).toBe(NOW + MINUTE);
    expect(windowStart(since)).toBe(since - 5 * MINUTE);
  });

  test('stays before the oldest message that is pending', () => {
    expect(advance(newCheckpoint(NOW), NOW + 10 * MINUTE, [NOW + 3 * MINUTE, NOW + MINUTE]).since).toBe(NOW + MINUTE);
  });

  test('a message of the future, as test clocks make them, does not carry it past the present', () => {
    expect(advance(newCheckpoint(NOW), NOW + MINUTE, [NOW + 1_000 * MINUTE]).since).toBe(NOW + MINUTE);
  });

  test('forgets what no later poll can list, and nothing else', () => {
    const key = (id: string) => doneKey('http://localhost:3000/hook', id);
    const done = { [key('old')]: NOW - OVERLAP_MS - 1, [key('edge')]: NOW - OVERLAP_MS, [key('ahead')]: NOW + 1 };
    expect(Object.keys(advance({ since: 0, done }, NOW, []).done)).toEqual([key('edge'), key('ahead')]);
    // Stripe lists by whole seconds, and a poll may be in the middle of one.
    expect(Object.keys(advance({ since: 0, done }, NOW + 999, []).done)).toEqual([key('edge'), key('ahead')]);
    expect(Object.keys(advance({ since: 0, done }, NOW + 1_000, []).done)).toEqual([key('ahead')]);
  });
});

describe('its file', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'relay-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  const file = path.join(directory, 'data', 'relay.json');

  test('is kept for the next run, for its owner only', () => {
    expect(readCheckpoints(file)).toEqual({});
    const checkpoints = { stripe: { since: NOW, done: { 'http://localhost:3000/hook evt_1': NOW } } };
    writeCheckpoints(file, checkpoints);
    expect(readCheckpoints(file)).toEqual(checkpoints);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('that cannot be read is as none', () => {
    writeFileSync(file, '{');
    expect(readCheckpoints(file)).toEqual({});
  });
});

const messageOf = (id: string) => ({ id, type: 'user.created', occurredAt: Date.now(), body: '{}' });
const endpointAt = (port: number) => ({ url: `http://localhost:${port}/hook`, accepts: () => true, sign: () => ({}) });

test('a checkpoint that cannot be kept is said once, and ends neither polls nor posts', async () => {
  const posts: string[] = [];
  const app = createServer((request, response) => {
    posts.push(String(request.headers['x-id']));
    response.end();
  });
  await once(app.listen(0, 'localhost'), 'listening');
  onTestFinished(() => void app.close());
  const endpoint = endpointAt((app.address() as AddressInfo).port);
  const messages = [messageOf('msg_1')];
  const lines: string[] = [];
  const relay = new Relay(
    {
      name: 'Clerk',
      list: async () => messages,
      isOwn: async () => true,
      endpoints: [{ ...endpoint, sign: ({ id }) => ({ 'x-id': id }) }],
    },
    {
      checkpoint: undefined,
      keep: () => {
        throw new Error('ENOSPC: no space left on device');
      },
      log: (line) => lines.push(line),
      pollMs: 10,
      firstWaitMs: 10,
    },
  );
  relay.start();
  onTestFinished(() => relay.stop());
  await expect.poll(() => posts).toEqual(['msg_1']);
  messages.push(messageOf('msg_2'));
  await expect.poll(() => posts).toEqual(['msg_1', 'msg_2']);
  expect(lines.filter((line) => !line.endsWith('/hook: 200'))).toEqual([
    'Clerk: the checkpoint cannot be kept: ENOSPC: no space left on device. A restart repeats the posts from now on.',
  ]);
});

test('a post that reaches nothing says why, also where localhost has two addresses', async () => {
  const { signal } = new AbortController();
  const { detail } = await post(endpointAt(await freePort('localhost')), messageOf('msg_1'), signal);
  expect(detail).toMatch(/^fetch failed: .*ECONNREFUSED/);
  const cause = Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' });
  expect(describeError(new TypeError('fetch failed', { cause }))).toBe('fetch failed: ECONNREFUSED');
});

test('each wait after a failure is twice as long, a minute at most', () => {
  expect([1, 2, 3, 4, 10].map((failures) => decideWait(failures, 1_000))).toEqual([1_000, 2_000, 4_000, 8_000, 60_000]);
});

test.each([
  [20_000, 20_000],
  [3_600_000, 300_000],
  [Number.POSITIVE_INFINITY, 300_000],
  [100, 1_000],
  [-1, 1_000],
  [null, 1_000],
])(
  'a provider that asks for a pause of %s ms gets %i ms: five minutes at most, the back-off at least',
  (asked, pause) => {
    expect(decidePause(1_000, asked)).toBe(pause);
  },
);

describe('a provider is relayed', () => {
  test('with a test key', () => {
    const env = { CLERK_SECRET_KEY: 'sk_test_1', STRIPE_SECRET_KEY: 'rk_test_1' };
    expect(decideRelayed(env)).toEqual({ clerk: 'relay', stripe: 'relay' });
  });

  test('and not with a live key, or without one', () => {
    expect(decideRelayed({ STRIPE_SECRET_KEY: 'sk_live_1' })).toEqual({ clerk: 'none', stripe: 'live' });
  });

  test('where it is on this machine, whatever its key says', () => {
    const env = { CLERK_SECRET_KEY: 'sk_live_1', CLERK_API_URL: 'http://localhost:3001/clerk' };
    expect(decideRelayed(env).clerk).toBe('relay');
  });
});
