import { inject } from 'vitest';

// Each worker has one of the run's databases.
const databases = inject('databases');
process.env.DATABASE_URL = databases[Number(process.env.VITEST_POOL_ID) % databases.length];
