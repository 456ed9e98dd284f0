import { beforeAll, expect, test, vi } from 'vitest';
import { databasePool } from '@/prisma/client';
import { Prisma } from '@/prisma/generated/client';
import { unique } from '@/tests/support/unique';
import { run, statement } from './statement';

const table = unique('scratch');
const { raw, sql } = Prisma;

const add = statement(
  'add',
  { id: 'integer', text: 'text' },
  ({ id, text }) => sql`
    INSERT INTO ${raw(table)} SELECT ${id}, ${text} || ${'!'} WHERE ${text} <> '' ON CONFLICT DO NOTHING RETURNING *`,
);
const count = statement('count', {}, () => sql`SELECT count(*)::int AS rows FROM ${raw(table)}`);
const all = statement('all', {}, () => sql`SELECT * FROM ${raw(table)} ORDER BY id`);

beforeAll(async () => {
  await databasePool().query(`CREATE TABLE ${table} (id int PRIMARY KEY, text text)`);
  return async () => {
    await databasePool().query(`DROP TABLE ${table}`);
  };
});

test('a value that is used twice is sent once, and constants go with it', () => {
  expect(add({ id: 1, text: 'a' }).text).toContain(`SELECT $1::integer, $2::text || $3 WHERE $2::text <> ''`);
  expect(add({ id: 1, text: 'a' }).values).toEqual([1, 'a', '!']);
});

test('of statements that are sent together each sees the one before, and one that fails takes no other with it', async () => {
  const [added, counted] = await run<[{ text: string }, { rows: number }]>(
    'server',
    add({ id: 1, text: 'a' }),
    count({}),
  );
  expect([added, counted]).toEqual([{ id: 1, text: 'a!' }, { rows: 1 }]);
  await expect(run('server', add({ id: 2, text: 'b' }), add({ id: 1e9 * 10, text: 'c' }))).rejects.toThrow(
    'out of range',
  );
  expect(await run<[{ rows: number }]>('server', count({}))).toEqual([{ rows: 2 }]);
});

test('a connection whose statement failed is not used again: after a failover it may stay read-only', async () => {
  const removed = vi.fn();
  databasePool().once('remove', removed);
  await expect(run('server', add({ id: 1e9 * 10, text: 'x' }))).rejects.toThrow('out of range');
  await vi.waitFor(() => expect(removed).toHaveBeenCalled());
});

test('a connection that breaks while it is used does not end the process', async () => {
  databasePool().once('acquire', (session) => setImmediate(() => session.emit('error', new Error('reset'))));
  expect(await run<[{ rows: number }]>('server', count({}))).toEqual([{ rows: expect.any(Number) }]);
});

test('forty at once on the connections of the pool do not meet in a name', async () => {
  const ids = Array.from({ length: 40 }, (_, index) => 100 + index);
  const added = await Promise.all(ids.map((id) => run<[{ id: number }]>('server', add({ id, text: 'x' }))));
  expect(added.map(([row]) => row.id)).toEqual(ids);
});

test('statements of one name from two processes, as two releases are behind a pooler, are two statements', async () => {
  const texts = ['first', 'second'];
  const releases = [];
  for (const _ of texts) {
    vi.resetModules(); // as a process of its own would load it
    releases.push(await import('./statement'));
  }
  for (const _ of ['prepared', 'known']) {
    const responses = [];
    for (const [index, text] of texts.entries()) {
      const release = releases[index] as (typeof releases)[number];
      const greet = release.statement('greet', {}, () => raw(`SELECT '${text}' AS text`));
      responses.push((await release.run<[{ text: string }]>('server', greet({})))[0].text);
    }
    expect(responses).toEqual(texts);
  }
  vi.resetModules();
});

test('a table that was changed, and a connection that forgot its statements as behind a pooler, cost no request', async () => {
  await run('server', all({}));
  await databasePool().query(`ALTER TABLE ${table} ADD COLUMN later text`);
  expect((await run<[object]>('server', all({})))[0]).toHaveProperty('later');
  const forget = async () => {
    const sessions = await Promise.all(Array.from({ length: 10 }, () => databasePool().connect()));
    for (const session of sessions) await session.query('DEALLOCATE ALL');
    for (const session of sessions) session.release();
  };
  for (const id of [200, 201]) {
    await forget();
    const [added, counted] = await run<[{ id: number }, { rows: number }]>('server', add({ id, text: 'x' }), count({}));
    expect(added.id).toBe(id);
    expect(counted.rows).toBeGreaterThan(0);
  }
});
