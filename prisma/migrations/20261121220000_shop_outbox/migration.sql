-- The inbox of outgoing reports is an outbox.
ALTER TABLE "shop_inbox" RENAME TO "shop_outbox";
ALTER TABLE "shop_outbox" RENAME CONSTRAINT "shop_inbox_pkey" TO "shop_outbox_pkey";
ALTER TABLE "shop_outbox" RENAME COLUMN "settled_at" TO "finished_at";
ALTER INDEX "shop_inbox_state_due_at_idx" RENAME TO "shop_outbox_state_due_at_idx";
ALTER INDEX "shop_inbox_customer_external_id_idx" RENAME TO "shop_outbox_customer_external_id_idx";

-- Fencing tokens are counted for each subscription, in a table that the schema describes.
ALTER TABLE "shop_subscriptions" RENAME COLUMN "ticket" TO "fencing_token";
CREATE TABLE "shop_fencing_tokens" (
    "subscription_id" TEXT NOT NULL,
    "last" BIGINT NOT NULL,

    CONSTRAINT "shop_fencing_tokens_pkey" PRIMARY KEY ("subscription_id")
);
INSERT INTO "shop_fencing_tokens" ("subscription_id", "last") SELECT "id", "fencing_token" FROM "shop_subscriptions";
DROP SEQUENCE "shop_tickets";
