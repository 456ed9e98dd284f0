import pg from 'pg';
import { expect, test } from 'vitest';
import { startDatabase } from './start.mjs';

test('statements that waited for another connection to commit never mix their parameters', async () => {
  const database = await startDatabase('memory://');
  const pool = new pg.Pool({ connectionString: database.url, max: 10 });
  const ask = async (client: pg.Pool | pg.PoolClient, value: number) => {
    const columns = Array.from({ length: (value % 5) + 1 }, (_, column) => `$1::int AS c${column}`).join(', ');
    const { rows } = await client.query(`SELECT ${columns}`, [value]);
    return rows[0]?.c0;
  };
  try {
    const asked = Array.from({ length: 100 }, (_, index) => index);
    const answered = await Promise.all(
      asked.map(async (value) => {
        if (value % 4 !== 0) return ask(pool, value);
        const client = await pool.connect();
        try {
          await client.query('BEGIN');
          const answer = await ask(client, value);
          await client.query('COMMIT');
          return answer;
        } finally {
          client.release();
        }
      }),
    );
    expect(answered).toEqual(asked);
  } finally {
    await pool.end();
    await database.stop();
  }
}, 60_000);
