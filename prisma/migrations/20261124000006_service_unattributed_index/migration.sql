-- Retention looks for old ones, and would read all payments of customers who were not referred.
CREATE INDEX IF NOT EXISTS "service_unattributed_payments_created_at_idx" ON "service_unattributed_payments"("created_at");
