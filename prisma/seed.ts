// Demo data, safe to run any number of times. If you delete a part, delete its lines here.
import { seedHistory, seedService } from '../lib/service/seed';
import { database } from './client';

await seedService();
if (process.argv.includes('--history')) await seedHistory(new Date());

await database().$disconnect();
