import { IN_MEMORY } from '../core/database';
import { createDatabase } from '../core/template';

/** Creates the template before the tests. Otherwise the first test of each worker would, and could time out. */
export default async function makeTemplate(): Promise<void> {
  await (await createDatabase(IN_MEMORY)).close();
}
