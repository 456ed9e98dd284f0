import { protocol } from '@electric-sql/pglite';
import pg from 'pg';
import { expect, test } from 'vitest';
import { keepPipelinesWhole } from './pipelines.mjs';
import { IN_MEMORY, startDatabase } from './start.mjs';
import { openDatabase } from './template.mjs';

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
});

test('the prepared statements of a connection end with it, and those of others stay', async () => {
  const { url, stop } = await startDatabase(IN_MEMORY, 'a test');
  const connect = async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return client;
  };
  const run = (client: pg.Client, name: string) =>
    client.query({ name, text: 'SELECT $1::text AS said', values: [name] });
  const other = await connect();
  try {
    await run(other, 'kept');
    const prepared = async () =>
      (await other.query('SELECT name FROM pg_prepared_statements ORDER BY name')).rows.map(({ name }) => name);
    for (const end of ['end', 'destroy'] as const) {
      const client = await connect();
      for (const name of ['one', 'two']) await run(client, name);
      expect(await prepared()).toEqual(['kept', 'one', 'two']);
      if (end === 'end') await client.end();
      else client.on('error', () => {}).connection.stream.destroy(); // as of a process that is killed
      await expect.poll(prepared, { timeout: 15_000 }).toEqual(['kept']);
    }
    expect((await run(other, 'kept')).rows).toEqual([{ said: 'kept' }]);
  } finally {
    await other.end();
    await stop();
  }
});
