// Locks the directory of its argument and holds it until it is killed: for lock.test.ts.
import { lockDirectory } from '../lock.ts';

await lockDirectory(process.argv[2], 'a test');
process.send('locked');
setInterval(() => {}, 60_000);
