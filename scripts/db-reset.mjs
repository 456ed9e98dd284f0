// npm run db:reset: deletes all that local runs have stored and generated. A database of your own is never touched.
import { rmSync } from 'node:fs';
import { DataDirectoryBusyError, findOwner } from './database/lock.mjs';
import { emulatorsDirectory } from './emulators.mjs'; // part: emulators
import { databaseDirectory, dataDirectory, loadEnvironment } from './local-env.mjs';

const env = loadEnvironment();
for (const directory of [
  databaseDirectory(env),
  emulatorsDirectory(env), // part: emulators
]) {
  const owner = await findOwner(directory);
  if (!owner) continue;
  console.error(new DataDirectoryBusyError(directory, owner).message);
  process.exit(1);
}
rmSync(dataDirectory(env), { recursive: true, force: true });
console.log(`Deleted ${dataDirectory(env)}. The next \`npm run dev\` starts afresh.`);
