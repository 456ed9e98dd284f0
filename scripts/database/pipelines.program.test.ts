import { protocol } from '@electric-sql/pglite';
import { expect, test } from 'vitest';
import { keepPipelinesWhole } from './pipelines.mjs';
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
