// Says which of a run's variables are missing or malformed, and where to find them, before the app is built or started.
import { assertEnv } from '@/lib/integration/env';
import { serviceEnv } from '@/lib/service/env'; // part: service
import { applyEmbeddedService } from '@/lib/service/switch.mjs'; // part: service
import { assertDatabaseUrl } from '@/prisma/client';

applyEmbeddedService(process.env); // part: service

for (const check of [
  assertEnv,
  serviceEnv, // part: service
  assertDatabaseUrl,
]) {
  try {
    check();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
