// Each worker has one of the databases that `global-database.ts` has started in the runner's process.
const databases = process.env.TEST_DATABASES?.split(' ') ?? [];
process.env.DATABASE_URL = databases[Number(process.env.VITEST_POOL_ID) % databases.length];

export {}; // a module, so that its names are its own
