// npm run db:reset: deletes all that local runs have stored and generated. A database of your own is never touched.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DataDirectoryBusyError, findOwner, refuseForeign } from './database/lock.mjs';
import { emulatorsDirectory } from './emulators.mjs'; // part: emulators
import { databaseDirectory, dataDirectory, loadEnvironment } from './local-env.mjs';
import { readOptions } from './options.mjs';

readOptions({});
const env = loadEnvironment();
const directory = dataDirectory(env);
const databases = [
  databaseDirectory(env),
  emulatorsDirectory(env), // part: emulators
];
try {
  for (const database of databases) {
    refuseForeign(database);
    const owner = await findOwner(database);
    if (owner) throw new DataDirectoryBusyError(database, owner);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
const files = ['demo.env', 'prepared.json', 'relay.json'].map((name) => path.join(directory, name));
for (const entry of [...databases, ...databases.map((database) => `${database}.lock`), ...files]) {
  rmSync(entry, { recursive: true, force: true });
}
if (existsSync(directory) && readdirSync(directory).length === 0) rmSync(directory, { recursive: true });
console.log(`Deleted the local data in ${directory}. The next \`npm run dev\` starts afresh.`);
