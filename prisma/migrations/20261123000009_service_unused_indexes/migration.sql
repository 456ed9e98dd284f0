DROP INDEX "service_clicks_program_id_created_at_idx";
-- Provisional leads are found by their click alone.
DROP INDEX "service_provisional_leads_program_id_created_at_idx";
