import { fork } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Database, type Sql } from './database';
import { DirectoryUnusableError, lockDirectory } from './lock';
import { giveBackDatabase, takeDatabase } from './testing/spare-database';

const scratch = mkdtempSync(path.join(tmpdir(), 'emulators-'));
afterAll(() => rmSync(scratch, { recursive: true }));

let count = 0;
const newPath = () => path.join(scratch, `state-${(count += 1)}`);

/** One in memory, until the end of the test. */
async function newDatabase(): Promise<Database> {
  const database = await takeDatabase();
  onTestFinished(() => giveBackDatabase(database));
  return database;
}

const note = (database: Database, name: string, value: string) =>
  database.change((sql) => sql('INSERT INTO fault VALUES ($1, $2, $3)', [name, '', value]));

const names = async (database: Database) =>
  (await database.query((sql) => sql<{ name: string }>('SELECT name FROM fault ORDER BY name'))).map(
    ({ name }) => name,
  );

test('a state that cannot be opened in a new folder leaves no part of it behind, nor its lock', async () => {
  const other = await takeDatabase();
  await other.change((sql) => sql("UPDATE secret SET value = 'other' WHERE name = 'schema'"));
  const from = await other.dump();
  await other.close();
  const directory = newPath();
  const message = 'The state in that file was written by another version of the emulators. Start without it.';
  await expect(Database.open(directory, { owner: 'test', from })).rejects.toThrow(new DirectoryUnusableError(message));
  expect(existsSync(directory)).toBe(false);
  await (await lockDirectory(directory, 'test'))();
});

test('a first start that is killed leaves nothing that the next one would take for a state', async () => {
  const directory = newPath();
  const child = fork(path.join(import.meta.dirname, 'testing', 'open-database.mjs'), [directory], {
    execArgv: ['--import', 'tsx'],
  });
  const ended = once(child, 'exit');
  const hasFile = () => existsSync(path.join(directory, 'PG_VERSION')) || child.exitCode !== null; // one of many files
  await vi.waitUntil(hasFile, { interval: 5, timeout: 30_000 });
  expect(child.exitCode).toBeNull();
  child.kill('SIGKILL');
  await ended;
  const database = await Database.open(directory, { owner: 'a test' });
  expect(await names(database)).toEqual([]);
  await database.close();
});

test('a folder of another version is refused with what to delete', async () => {
  const directory = newPath();
  const database = await Database.open(directory, { owner: 'a test' });
  await database.change((sql) => sql("UPDATE secret SET value = 'other' WHERE name = 'schema'"));
  await database.close();
  await expect(Database.open(directory, { owner: 'a test' })).rejects.toThrow(
    new DirectoryUnusableError(
      `The emulators' state in ${directory} was written by another version. Delete that folder.`,
    ),
  );
});

test('a folder of another major version of PostgreSQL is refused with both versions', async () => {
  const directory = newPath();
  await (await Database.open(directory, { owner: 'a test' })).close();
  const file = path.join(directory, 'PG_VERSION');
  const installed = readFileSync(file, 'utf8').trim();
  writeFileSync(file, '12\n');
  await expect(Database.open(directory, { owner: 'a test' })).rejects.toThrow(
    `${directory} was made by PostgreSQL 12, and the installed PGlite is PostgreSQL ${installed}. Delete the folder`,
  );
});

describe('another state in the place of this one', () => {
  let saved: Blob;
  beforeAll(async () => {
    const database = await takeDatabase();
    await note(database, 'before', '1');
    saved = await database.dump();
    giveBackDatabase(database);
  });

  /** One in its own folder, which holds a note. It is opened by a path with a slash at its end. */
  async function newFolder() {
    const directory = newPath();
    const open = () => Database.open(directory, { owner: 'a test' });
    const database = await Database.open(`${directory}/`, { owner: 'a test' });
    await note(database, 'present', '1');
    return { directory, database, open };
  }

  test('of two at once the last one stays with what it is adapted to, also after a restart', async () => {
    const { directory, database, open } = await newFolder();
    await expect(open(), 'the same folder without the slash').rejects.toThrow('is in use');
    const planted = (name: string) => (sql: Sql) =>
      sql('INSERT INTO fault VALUES ($1, $2, $2)', [name, '']).then(() => {});
    const ignored = () => readFileSync(path.join(directory, '.gitignore'), 'utf8');
    expect(ignored(), 'an app commits none of it').toBe('*\n');
    await Promise.all([database.replace(saved, planted('first')), database.replace(saved, planted('second'))]);
    expect(ignored()).toBe('*\n');
    expect(await names(database)).toEqual(['before', 'second']);
    expect(existsSync(`${directory}.emulators-outgoing`) || existsSync(`${directory}.emulators-incoming`)).toBe(false);
    await database.close();
    const again = await open();
    expect(await names(again)).toEqual(['before', 'second']);
    await again.close();
  });

  test('that cannot be moved there leaves this one open, and there after a restart', async () => {
    const { directory, database, open } = await newFolder();
    const isGone = async () => rmSync(`${directory}.emulators-incoming`, { recursive: true });
    await expect(database.replace(saved, isGone)).rejects.toThrow();
    expect(await names(database)).toEqual(['present']);
    await database.close();
    const again = await open();
    expect(await names(again)).toEqual(['present']);
    await again.close();
  });

  test('for which this one cannot be closed leaves it open, and nothing beside it', async () => {
    const { directory, database } = await newFolder();
    const { close } = PGlite.prototype;
    vi.spyOn(PGlite.prototype, 'close').mockImplementationOnce(async function (this: PGlite) {
      await close.call(this);
      throw { errno: 51 };
    });
    await expect(database.replace(saved)).rejects.toThrow('has no space left');
    expect(await names(database)).toEqual(['present']);
    expect(existsSync(`${directory}.emulators-outgoing`) || existsSync(`${directory}.emulators-incoming`)).toBe(false);
    await database.close();
  });

  test.skipIf(process.getuid?.() === 0)('is taken where the last one cannot be deleted', async () => {
    const { directory, database } = await newFolder();
    const kept = path.join(directory, 'kept');
    mkdirSync(kept);
    writeFileSync(path.join(kept, 'file'), '');
    chmodSync(kept, 0o500);
    await database.replace(saved);
    expect(await names(database)).toEqual(['before']);
    await database.close();
    chmodSync(path.join(`${directory}.emulators-outgoing`, 'kept'), 0o700);
  });

  test('after a crash between the two moves, the last one is opened again; after a finished one it is not', async () => {
    const { directory, database, open } = await newFolder();
    await database.close();
    renameSync(directory, `${directory}.emulators-outgoing`);
    const again = await open();
    expect(await names(again)).toEqual(['present']);
    await again.close();
    mkdirSync(`${directory}.emulators-outgoing`);
    await (await open()).close();
    expect(existsSync(`${directory}.emulators-outgoing`)).toBe(false);
  });

  test('that fails for another reason fails with it', async () => {
    const database = await newDatabase();
    await expect(database.replace(saved, () => Promise.reject('odd'))).rejects.toBe('odd');
  });

  test('that fills the disk says so, and the next one is taken', async () => {
    const database = await newDatabase();
    const full = () => Promise.reject({ errno: 51 }); // what PGlite's file system throws
    await expect(database.replace(saved, full)).rejects.toThrow('has no space left');
    await database.replace(saved);
    expect(await names(database)).toEqual(['before']);
  });

  test('waits for what is under way, and what comes meanwhile waits for it', async () => {
    const database = await newDatabase();
    const order: string[] = [];
    let finish = () => {};
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const underWay = database.query(async (sql) => {
      await held; // between two statements, when no transaction keeps the database open
      await sql('SELECT 1');
      order.push('under way');
    });
    const replaced = database.replace(saved).then(() => order.push('replaced'));
    const doesWait = () => {
      let waits = true;
      void database.query(async () => {
        waits = false; // at once if nothing is in the way
      });
      return waits;
    };
    await expect.poll(doesWait, { timeout: 20_000 }).toBe(true);
    const later = note(database, 'later', '1').then(() => order.push('later'));
    finish();
    await Promise.all([underWay, replaced, later]);
    expect(order).toEqual(['under way', 'replaced', 'later']);
    expect(await names(database)).toEqual(['before', 'later']);
  });

  test('is refused where it is none, and this one stays', async () => {
    const database = await newDatabase();
    await note(database, 'present', '1');
    const packed = new Uint8Array(await saved.arrayBuffer());
    const files = [new Blob(['none']), new Blob([packed.slice(0, 5_000)]), new File(['none'], 'state.tar.gz')];
    const otherArchive = Buffer.alloc(10_240);
    otherArchive.write('ustar', 257);
    const unpacked = ['none', Buffer.alloc(10_240), otherArchive];
    for (const file of [...files, ...unpacked.map((content) => new Blob([gzipSync(content)]))]) {
      await expect(database.replace(file)).rejects.toThrow('The file is not an exported state');
    }
    expect(await names(database)).toEqual(['present']);
  });
});

test('a reset empties the state and keeps secrets, the catalog and webhook endpoints', async () => {
  const database = await newDatabase();
  await note(database, 'before', '1');
  await database.change(async (sql) => {
    await sql("INSERT INTO secret VALUES ('planted', 'kept')");
    await sql("INSERT INTO object (id, type, data) VALUES ('we_1', 'stripe.webhook_endpoint', '{}')");
    await sql("INSERT INTO object (id, type, data) VALUES ('price_1', 'stripe.price', '{}')");
    await sql("INSERT INTO object (id, type, data) VALUES ('cus_1', 'stripe.customer', '{}')");
  });
  await database.reset();
  expect(await names(database)).toEqual([]);
  const objects = await database.query((sql) => sql('SELECT id FROM object ORDER BY id'));
  expect(objects).toEqual([{ id: 'price_1' }, { id: 'we_1' }]);
  const secrets = await database.query((sql) => sql("SELECT value FROM secret WHERE name = 'planted'"));
  expect(secrets).toEqual([{ value: 'kept' }]);
});

test('a directory that cannot be opened is refused with its name and the error', async () => {
  const directory = newPath();
  mkdirSync(directory);
  writeFileSync(path.join(directory, 'base'), 'no folder');
  await expect(Database.open(directory, { owner: 'a test' })).rejects.toThrow(`${directory} cannot be opened`);
});
