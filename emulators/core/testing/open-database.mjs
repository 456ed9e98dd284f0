// Opens the state in the directory of its argument until it is killed: for database.test.ts.
import { Database } from '../database.ts';

await Database.open(process.argv[2], { owner: 'a test' });
setInterval(() => {}, 60_000);
