-- Keys of servers and keys of the dashboard can be kept apart. Keys from before open both.
ALTER TABLE "service_api_keys" ADD COLUMN "access" TEXT NOT NULL DEFAULT 'full';
