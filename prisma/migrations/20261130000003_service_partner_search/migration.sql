-- The dashboard finds a partner by code or name, case-insensitive.
CREATE INDEX IF NOT EXISTS "service_partners_code_search_idx" ON "service_partners"("program_id", lower("code") text_pattern_ops);
CREATE INDEX IF NOT EXISTS "service_partners_name_search_idx" ON "service_partners"("program_id", lower("name") text_pattern_ops);
