-- The dashboard lists and counts events by when they happened, and no longer by when they were recorded.

-- CreateTable
CREATE TABLE "service_late_counts" (
    "program_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "partner_code" TEXT NOT NULL,
    "leads" INTEGER NOT NULL DEFAULT 0,
    "provisional_settled" INTEGER NOT NULL DEFAULT 0,
    "sales" INTEGER NOT NULL DEFAULT 0,
    "renewals" INTEGER NOT NULL DEFAULT 0,
    "refunds" INTEGER NOT NULL DEFAULT 0,
    "unattributed" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "service_late_counts_pkey" PRIMARY KEY ("program_id","day","partner_code")
);

-- CreateTable
CREATE TABLE "service_late_amounts" (
    "program_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "partner_code" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "sales_cents" BIGINT NOT NULL DEFAULT 0,
    "refunded_cents" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "service_late_amounts_pkey" PRIMARY KEY ("program_id","day","partner_code","currency")
);

-- CreateIndex
CREATE INDEX "service_late_counts_program_id_partner_code_day_idx" ON "service_late_counts"("program_id", "partner_code", "day");

-- CreateIndex
CREATE INDEX "service_late_amounts_program_id_partner_code_day_idx" ON "service_late_amounts"("program_id", "partner_code", "day");

-- AddForeignKey
ALTER TABLE "service_late_counts" ADD CONSTRAINT "service_late_counts_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "service_programs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_late_amounts" ADD CONSTRAINT "service_late_amounts_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "service_programs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The feed by time of occurrence. Prisma's schema cannot name an index of an expression, and leaves these alone.
CREATE INDEX "service_events_occurred_idx" ON "service_events"("program_id", (coalesce("occurred_at", "created_at")), "id");
CREATE INDEX "service_events_kind_occurred_idx" ON "service_events"("program_id", "kind", "test", (coalesce("occurred_at", "created_at")), "id");
CREATE INDEX "service_events_partner_occurred_idx" ON "service_events"("program_id", "partner_code", "kind", "test", (coalesce("occurred_at", "created_at")), "id");
CREATE INDEX "service_events_click_occurred_idx" ON "service_events"("program_id", "click_id", "customer_key", "kind", "test", (coalesce("occurred_at", "created_at")), "id");
-- Most events are clicks, which name no customer and are in no index of customers.
CREATE INDEX "service_events_customer_occurred_idx" ON "service_events"("program_id", "customer_key", "kind", "test", (coalesce("occurred_at", "created_at")), "id") WHERE "customer_key" IS NOT NULL;
CREATE INDEX "service_events_customer_created_idx" ON "service_events"("program_id", "customer_key", "kind", "test", "created_at", "id") WHERE "customer_key" IS NOT NULL;

-- DropIndex
DROP INDEX "service_events_program_id_partner_code_kind_test_created_at_idx";

-- DropIndex
DROP INDEX "service_events_program_id_customer_key_kind_test_created_at_idx";

-- DropIndex
DROP INDEX "service_events_program_id_click_id_customer_key_kind_test_c_idx";

-- What was counted on the day it was recorded is taken from there and added to the day it happened: days that are over stay
-- as they were summed.
CREATE TEMPORARY TABLE "moved_events" AS
SELECT e.program_id, d.day, d.sign, coalesce(e.partner_code, '') AS partner_code, e.kind, e.currency,
  CASE e.reason WHEN 'refund_failed' THEN -e.amount_cents ELSE e.amount_cents END * d.sign AS cents,
  e.kind = 'refund' AND e.amount_cents IS NOT NULL AND e.reason IS DISTINCT FROM 'refund_failed' AS is_refund
FROM "service_events" e CROSS JOIN LATERAL (VALUES
  ((e.created_at AT TIME ZONE 'UTC')::date, -1),
  ((e.occurred_at AT TIME ZONE 'UTC')::date, 1)
) AS d (day, sign)
WHERE NOT e.test AND e.kind IN ('sale', 'renewal', 'refund', 'not_attributed')
  AND (e.occurred_at AT TIME ZONE 'UTC')::date <> (e.created_at AT TIME ZONE 'UTC')::date;

INSERT INTO "service_late_counts" (program_id, day, partner_code, sales, renewals, refunds, unattributed)
SELECT program_id, day, partner_code,
  coalesce(sum(sign) FILTER (WHERE kind IN ('sale', 'renewal')), 0), coalesce(sum(sign) FILTER (WHERE kind = 'renewal'), 0),
  coalesce(sum(sign) FILTER (WHERE is_refund), 0), coalesce(sum(sign) FILTER (WHERE kind = 'not_attributed'), 0)
FROM "moved_events" GROUP BY 1, 2, 3;

INSERT INTO "service_late_amounts" (program_id, day, partner_code, currency, sales_cents, refunded_cents)
SELECT program_id, day, partner_code, currency,
  coalesce(sum(cents) FILTER (WHERE kind IN ('sale', 'renewal')), 0), coalesce(sum(cents) FILTER (WHERE kind = 'refund'), 0)
FROM "moved_events" WHERE kind <> 'not_attributed' AND currency IS NOT NULL GROUP BY 1, 2, 3, 4;

DROP TABLE "moved_events";
