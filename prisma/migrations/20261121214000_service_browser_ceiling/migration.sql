-- All browsers of a program together: invented addresses meet it too.
ALTER TABLE "service_programs" ADD COLUMN "browser_ceiling_per_minute" INTEGER NOT NULL DEFAULT 60000;
