-- Retention deletes from the old end of these tables, and each batch passes over the entries that were deleted since the last vacuum.
-- By default that is a fifth of the table: months of events on a big program.
ALTER TABLE service_events SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100000);
ALTER TABLE service_clicks SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100000);
ALTER TABLE service_payment_facts SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100000);
