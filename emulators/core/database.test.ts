import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { Database, IN_MEMORY } from './database';

const open: Database[] = [];
afterAll(() => Promise.all(open.map((database) => database.close())));

async function newDatabase(directory: string = IN_MEMORY): Promise<Database> {
  const database = await Database.open(directory, { owner: 'a test' });
  open.push(database);
  return database;
}

const note = (database: Database, name: string, value: string) =>
  database.change((sql) => sql('INSERT INTO fault VALUES ($1, $2, $3)', [name, '', value]));

const names = async (database: Database) =>
  (await database.read((sql) => sql<{ name: string }>('SELECT name FROM fault ORDER BY name'))).map(({ name }) => name);

describe('another state in the place of this one', () => {
  test('has all that it held, and what it is adapted to', async () => {
    const database = await newDatabase();
    await note(database, 'before', '1');
    const saved = await database.dump();
    await note(database, 'after', '1');
    await database.replace(saved, async (sql) => {
      await sql("INSERT INTO fault VALUES ('adapted', '', '1')");
    });
    expect(await names(database)).toEqual(['adapted', 'before']);
  });

  test('is there after a restart, too', async () => {
    const directory = path.join(mkdtempSync(path.join(tmpdir(), 'emulators-')), 'state');
    const first = await Database.open(directory, { owner: 'a test' });
    await note(first, 'before', '1');
    const saved = await first.dump();
    await note(first, 'after', '1');
    await first.replace(saved);
    expect(existsSync(`${directory}.old`) || existsSync(`${directory}.import`)).toBe(false);
    await first.close();
    expect(await names(await newDatabase(directory))).toEqual(['before']);
  });

  test('waits for what is under way, and what comes meanwhile waits for it', async () => {
    const database = await newDatabase();
    const saved = await database.dump();
    const replaced = database.replace(saved);
    const written = Array.from({ length: 20 }, (_, index) => note(database, `n${index}`, '1'));
    await Promise.all([replaced, ...written]);
    await note(database, 'later', '1');
    expect(await names(database)).toContain('later');
  });

  test('is refused where it is none, and this one stays', async () => {
    const database = await newDatabase();
    await note(database, 'before', '1');
    const packed = new Uint8Array(await (await database.dump()).arrayBuffer());
    for (const file of [new Blob(['none']), new Blob([packed.slice(0, 5_000)]), new File(['none'], 'state.tar.gz')]) {
      await expect(database.replace(file)).rejects.toThrow();
    }
    expect(await names(database)).toEqual(['before']);
  });
});

test('a reset empties the state and keeps secrets, the catalogue and webhook endpoints', async () => {
  const database = await newDatabase();
  await note(database, 'before', '1');
  await database.change(async (sql) => {
    await sql("INSERT INTO secret VALUES ('instance', 'kept')");
    await sql("INSERT INTO object (id, type, data) VALUES ('we_1', 'stripe.webhook_endpoint', '{}')");
    await sql("INSERT INTO object (id, type, data) VALUES ('price_1', 'stripe.price', '{}')");
    await sql("INSERT INTO object (id, type, data) VALUES ('cus_1', 'stripe.customer', '{}')");
  });
  await database.reset();
  expect(await names(database)).toEqual([]);
  const objects = await database.read((sql) => sql('SELECT id FROM object ORDER BY id'));
  expect(objects).toEqual([{ id: 'price_1' }, { id: 'we_1' }]);
  const secrets = await database.read((sql) => sql("SELECT value FROM secret WHERE name = 'instance'"));
  expect(secrets).toEqual([{ value: 'kept' }]);
});
