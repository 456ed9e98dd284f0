-- One open transfer per user and plan. Of several that are open already, the oldest is the one that stays findable.
ALTER TABLE "shop_transfers" ADD COLUMN "open_for" TEXT;
UPDATE "shop_transfers" SET "open_for" = "user_id" || ' ' || "plan"
WHERE "invoice_id" IN (
  SELECT DISTINCT ON ("user_id", "plan") "invoice_id" FROM "shop_transfers"
  WHERE "paid_at" IS NULL ORDER BY "user_id", "plan", "requested_at", "invoice_id");
CREATE UNIQUE INDEX "shop_transfers_open_for_key" ON "shop_transfers"("open_for");
