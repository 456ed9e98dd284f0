-- What a subscription costs, where its price has changed since.
ALTER TABLE "shop_subscriptions" ADD COLUMN "amount" INTEGER, ADD COLUMN "currency" TEXT;

-- Whether a purchase was given back is asked of Stripe, too: of two concurrent results the later one stands.
ALTER TABLE "shop_purchases" ADD COLUMN "fencing_token" BIGINT NOT NULL DEFAULT 0;
