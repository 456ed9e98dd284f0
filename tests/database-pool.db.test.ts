import { createServer, type Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { closeDatabases, createPool, database, databasePool, openDatabase } from '@/prisma/client';

const url = () => process.env.DATABASE_URL ?? '';
const LIMITS = { maxConnections: 2, acquireTimeoutMs: 5_000, statementTimeoutMs: 5_000 };
/** The database of the tests is busy at times: what has to succeed within a short limit is tried until it does. */
const PATIENCE = { timeout: 20_000 };

/** The parameters of the first message of the Postgres protocol: length, version, then names and values with NUL ends. */
const readStartup = (message: Buffer) => {
  const words = message.subarray(8).toString().split('\0').slice(0, -2);
  return Object.fromEntries(words.flatMap((word, index) => (index % 2 === 0 ? [[word, words[index + 1]]] : [])));
};

test('a connection starts with parameters that every pooler accepts', async () => {
  const received: Buffer[] = [];
  const server = createServer((socket: Socket) => {
    socket.once('data', (message) => {
      received.push(message);
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const pool = createPool(`postgresql://someone@127.0.0.1:${port}/shop`, LIMITS);
  await expect(pool.query('SELECT 1')).rejects.toThrow();
  expect(received.map(readStartup)).toEqual([{ user: 'someone', database: 'shop', client_encoding: 'UTF8' }]);
  await pool.end();
  server.close();
});

test('every connection is in UTC, so that an instant is read as it was written', async () => {
  const pool = createPool(url(), LIMITS);
  const sessions = [await pool.connect(), await pool.connect()];
  for (const session of sessions) {
    expect((await session.query('SHOW TimeZone')).rows).toEqual([{ TimeZone: 'UTC' }]);
    session.release();
  }
  await pool.end();
  const instant = new Date('2026-07-01T00:30:00.123Z');
  const rows = await database().$queryRaw<Array<{ at: Date; text: string }>>`
    SELECT ${instant}::timestamptz AS at, (${instant}::timestamptz)::text AS text`;
  expect(rows).toEqual([{ at: instant, text: '2026-07-01 00:30:00.123+00' }]);
});

test('the server rolls back the transaction of a process that is frozen or gone, later than Prisma would', async () => {
  const pool = createPool(url(), LIMITS);
  const { rows } = await pool.query('SHOW idle_in_transaction_session_timeout');
  expect(rows).toEqual([{ idle_in_transaction_session_timeout: '20s' }]);
  await pool.end();
});

test('a statement that runs for too long fails, and the pool continues', async () => {
  const pool = createPool(url(), { ...LIMITS, statementTimeoutMs: 200 });
  await expect(pool.query('SELECT pg_sleep(0.6)')).rejects.toThrow(/timeout/);
  const { rows } = await vi.waitFor(() => pool.query('SELECT 1 AS one', []), PATIENCE);
  expect(rows).toEqual([{ one: 1 }]);
  await pool.end();
});

test('a caller waits for a connection only so long', async () => {
  const pool = createPool(url(), { ...LIMITS, maxConnections: 1, acquireTimeoutMs: 100 });
  const taken = await vi.waitFor(() => pool.connect(), PATIENCE);
  await expect(pool.query('SELECT 1')).rejects.toThrow(/timeout/);
  taken.release();
  await pool.end();
});

test('Prisma and direct statements share their connections; another name has connections of its own', async () => {
  await closeDatabases();
  await database().$queryRaw`SELECT 1`;
  await databasePool().query('SELECT 1');
  expect(databasePool().totalCount).toBe(1);
  expect(openDatabase('reporting').pool).not.toBe(databasePool());
});
