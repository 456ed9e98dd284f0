import { protocol } from '@electric-sql/pglite';
import pg from 'pg';
import { expect, test } from 'vitest';
import { keepPipelinesWhole } from './pipelines.mjs';
import { startDatabase } from './start.mjs';
import { openDatabase } from './template.mjs';

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

test('the responses of a pipeline leave together, at its Sync or where the client asks for them', async () => {
  const { parse, bind, execute, flush, sync } = protocol.serialize;
  const db = await openDatabase('memory://', true);
  keepPipelinesWhole(db);
  const send = async (message: Uint8Array) => {
    const packets: string[] = [];
    await db.execProtocolRawStream(message, {
      onRawData: (data) => packets.push(Buffer.from(data).toString('latin1')),
    });
    return packets;
  };
  try {
    expect(await send(parse({ text: "SELECT 'one'" }))).toEqual([]);
    expect(await send(bind())).toEqual([]);
    expect(await send(execute())).toEqual([]);
    const together = await send(sync());
    expect(together).toEqual([expect.stringMatching(/^1.*2.*one.*SELECT 1.*Z/s)]);
    expect(await send(parse({ text: "SELECT 'two'" }))).toEqual([]);
    expect(await send(flush())).toEqual([expect.stringMatching(/^1/)]);
    expect(await send(sync())).toEqual([expect.stringMatching(/^Z/)]);
  } finally {
    await db.close();
  }
}, 60_000);
