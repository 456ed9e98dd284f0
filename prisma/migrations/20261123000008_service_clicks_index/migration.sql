-- Retention looks for clicks that still have their URLs. In an index of all clicks each run would pass every old click that a
-- lead or a sale came from, which stays without them.
CREATE INDEX IF NOT EXISTS "service_clicks_with_urls_idx" ON "service_clicks"("program_id", "created_at") WHERE "affiliate_url" <> '';
