// npm run db:reset: deletes the embedded database and everything generated beside it. Yours is never touched.
import { rmSync } from 'node:fs';
import { DataDirectoryBusyError, findOwner } from './database/lock.mjs';
import { databaseDirectory, dataDirectory, loadEnvironment } from './local-env.mjs';

const env = loadEnvironment();
const owner = findOwner(databaseDirectory(env));
if (owner) {
  console.error(new DataDirectoryBusyError(databaseDirectory(env), owner).message);
  process.exit(1);
}
rmSync(dataDirectory(env), { recursive: true, force: true });
console.log(`Deleted ${dataDirectory(env)}. The next \`npm run dev\` starts afresh.`);
