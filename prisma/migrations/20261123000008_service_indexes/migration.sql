-- Retention looks for clicks that still have their URLs. In an index of all clicks each run would pass every old click that a
-- lead or a sale came from, which stays without them.
DROP INDEX "service_clicks_program_id_created_at_idx";
CREATE INDEX "service_clicks_with_urls_idx" ON "service_clicks"("program_id", "created_at") WHERE "affiliate_url" <> '';

-- Provisional leads are found by their click alone.
DROP INDEX "service_provisional_leads_program_id_created_at_idx";
