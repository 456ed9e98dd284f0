-- A renewal without metadata is found by its subscription, also if no sale came before it, as after a trial.
CREATE INDEX IF NOT EXISTS "service_payment_facts_subscription_idx" ON "service_payment_facts"(("details"->>'subscriptionId'))
  WHERE "details"->>'subscriptionId' IS NOT NULL;
