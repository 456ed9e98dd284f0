-- A customer's events of one partner. Without it, the list of a busy customer and of a partner that never brought them reads
-- all of the customer's events, to find none.
CREATE INDEX "service_events_customer_partner_idx" ON "service_events"("program_id", "customer_key", "partner_code", "kind", "test", (coalesce("occurred_at", "created_at")), "id") WHERE "customer_key" IS NOT NULL AND "partner_code" IS NOT NULL;

-- A click's events, those that name a customer apart from the others: the newest of each kind stand together in both.
DROP INDEX "service_events_click_occurred_idx";
CREATE INDEX "service_events_named_click_idx" ON "service_events"("program_id", "click_id", "kind", "test", (coalesce("occurred_at", "created_at")), "id") WHERE "click_id" IS NOT NULL AND "customer_key" IS NOT NULL;
CREATE INDEX "service_events_unnamed_click_idx" ON "service_events"("program_id", "click_id", "kind", "test", (coalesce("occurred_at", "created_at")), "id") WHERE "click_id" IS NOT NULL AND "customer_key" IS NULL;
