import { copyFileSync, readdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createDatabase } from './template';

const FOLDER = path.join(import.meta.dirname, '..', '.cache');

/** As a second start that found no template either: it replaces the first one with its own. */
function replaceTemplates(): void {
  for (const name of readdirSync(FOLDER).filter((entry) => entry.endsWith('.tar'))) {
    const scratch = path.join(FOLDER, `${name}.${process.pid}`);
    copyFileSync(path.join(FOLDER, name), scratch);
    renameSync(scratch, path.join(FOLDER, name));
  }
}

test('a new database has the tables, also where another start replaces the template meanwhile', async () => {
  await (await createDatabase('memory://')).close(); // there is a template now
  const opening = createDatabase('memory://');
  replaceTemplates();
  const db = await opening;
  expect((await db.query('SELECT count(*)::int AS count FROM object')).rows).toEqual([{ count: 0 }]);
  await db.close();
});
