import { IN_MEMORY } from '../core/database';
import { createDatabase } from '../core/template';

/** Makes the template once, before the tests: else the first test of each worker would, in its own time. */
export default async function makeTemplate(): Promise<void> {
  await (await createDatabase(IN_MEMORY)).close();
}
