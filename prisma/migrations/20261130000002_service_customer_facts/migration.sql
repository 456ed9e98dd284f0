-- Erasure finds the clicks that a customer's checkouts name, also those that were never paid.
CREATE INDEX IF NOT EXISTS "service_payment_facts_customer_idx" ON "service_payment_facts"(("details"->'metadata'->>'customerKey'))
  WHERE "details"->'metadata'->>'customerKey' IS NOT NULL;
