-- The dashboard finds an email address in upper and lower case.
CREATE INDEX IF NOT EXISTS "service_leads_email_search_idx" ON "service_leads"("program_id", lower("email") text_pattern_ops);
DROP INDEX "service_leads_program_id_email_idx";
