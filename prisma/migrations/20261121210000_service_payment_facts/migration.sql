-- The account and the mode that a sale was recorded in: its refunds follow these, not the program's current ones.
ALTER TABLE "service_sales" ADD COLUMN "payment_account_id" TEXT, ADD COLUMN "payment_mode" TEXT;
UPDATE "service_sales" s SET "payment_account_id" = p."payment_account_id", "payment_mode" = p."payment_mode"
  FROM "service_programs" p WHERE p."id" = s."program_id";

-- Whatever an event says is kept as a fact; refunds, links and the log of events are among them or were not read.
CREATE TABLE "service_payment_facts" (
    "account_id" TEXT NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "kind" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "rank" SMALLINT NOT NULL,
    "payment_intent_id" TEXT,
    "invoice_id" TEXT,
    "details" JSONB NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "service_payment_facts_pkey" PRIMARY KEY ("account_id","livemode","kind","id")
);
CREATE INDEX "service_payment_facts_payment_intent_id_idx" ON "service_payment_facts"("payment_intent_id");
CREATE INDEX "service_payment_facts_invoice_id_idx" ON "service_payment_facts"("invoice_id");
CREATE INDEX "service_payment_facts_created_at_idx" ON "service_payment_facts"("created_at");

INSERT INTO "service_payment_facts"
SELECT coalesce("account_id", ''), "livemode", 'charge_refunded', "charge_id" || ' ' || "refunded_cents", 1, "payment_intent_id",
  "invoice_id", jsonb_build_object('chargeId', "charge_id", 'chargedCents', "charged_cents", 'refundedCents', "refunded_cents"),
  "created_at", "created_at"
FROM "service_payment_refunds";
INSERT INTO "service_payment_facts"
SELECT '', mode.livemode, 'link', l."payment_intent_id" || ' ' || l."invoice_id", 1, l."payment_intent_id", l."invoice_id", '{}', now(), now()
FROM "service_payment_links" l, (VALUES (true), (false)) AS mode (livemode);

DROP TABLE "service_sale_refunds";
DROP TABLE "service_payment_refunds";
DROP TABLE "service_payment_links";
DROP TABLE "service_payment_events";
