-- The outbox deletes old reports and keeps sales. In an index of all reports each run would pass every sale that is kept.
CREATE INDEX IF NOT EXISTS "shop_outbox_prunable_idx" ON "shop_outbox"("queued_at") WHERE "kind" <> 'sale' AND "state" <> 'pending';
