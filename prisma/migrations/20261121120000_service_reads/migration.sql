-- The feed's kind tells apart what the dashboard does.
UPDATE "service_events" SET "kind" = 'provisional' WHERE "kind" = 'lead' AND "provisional";
UPDATE "service_events" e SET "kind" = 'renewal' FROM "service_sales" s
WHERE e."kind" = 'sale' AND s."is_recurring" AND s."program_id" = e."program_id" AND s."test" = e."test"
  AND s."transaction_id" = e."transaction_id";

-- DropIndex
DROP INDEX "service_events_program_id_click_id_idx";

-- DropIndex
DROP INDEX "service_events_program_id_customer_key_created_at_id_idx";

-- DropIndex
DROP INDEX "service_events_program_id_kind_created_at_id_idx";

-- DropIndex
DROP INDEX "service_events_program_id_test_created_at_id_idx";

-- DropIndex
DROP INDEX "service_sales_program_id_customer_key_idx";

-- AlterTable
ALTER TABLE "service_events" DROP COLUMN "provisional";

-- CreateTable
CREATE TABLE "service_closed_days" (
    "program_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "clicks" INTEGER NOT NULL,
    "provisional" INTEGER NOT NULL,
    "leads" INTEGER NOT NULL,
    "sales" INTEGER NOT NULL,
    "refunds" INTEGER NOT NULL,
    "unattributed" INTEGER NOT NULL,

    CONSTRAINT "service_closed_days_pkey" PRIMARY KEY ("program_id","day")
);

-- CreateTable
CREATE TABLE "service_closed_day_amounts" (
    "program_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "currency" TEXT NOT NULL,
    "sales_cents" BIGINT NOT NULL,
    "refunded_cents" BIGINT NOT NULL,

    CONSTRAINT "service_closed_day_amounts_pkey" PRIMARY KEY ("program_id","day","currency")
);

-- CreateIndex
CREATE INDEX "service_daily_amounts_program_id_partner_code_day_idx" ON "service_daily_amounts"("program_id", "partner_code", "day");

-- CreateIndex
CREATE INDEX "service_daily_counts_program_id_partner_code_day_idx" ON "service_daily_counts"("program_id", "partner_code", "day");

-- CreateIndex
CREATE INDEX "service_events_program_id_kind_test_created_at_id_idx" ON "service_events"("program_id", "kind", "test", "created_at", "id");

-- CreateIndex
CREATE INDEX "service_events_program_id_partner_code_kind_test_created_at_idx" ON "service_events"("program_id", "partner_code", "kind", "test", "created_at", "id");

-- CreateIndex
CREATE INDEX "service_events_program_id_customer_key_kind_test_created_at_idx" ON "service_events"("program_id", "customer_key", "kind", "test", "created_at", "id");

-- CreateIndex
CREATE INDEX "service_events_program_id_click_id_customer_key_kind_test_c_idx" ON "service_events"("program_id", "click_id", "customer_key", "kind", "test", "created_at", "id");

-- CreateIndex
CREATE INDEX "service_leads_program_id_created_at_id_idx" ON "service_leads"("program_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "service_leads_program_id_email_created_at_id_idx" ON "service_leads"("program_id", "email", "created_at", "id");

-- CreateIndex
CREATE INDEX "service_sales_program_id_customer_key_test_currency_amount__idx" ON "service_sales"("program_id", "customer_key", "test", "currency", "amount_cents", "refunded_cents");

-- AddForeignKey
ALTER TABLE "service_closed_days" ADD CONSTRAINT "service_closed_days_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "service_programs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_closed_day_amounts" ADD CONSTRAINT "service_closed_day_amounts_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "service_programs"("id") ON DELETE CASCADE ON UPDATE CASCADE;
