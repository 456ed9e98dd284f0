-- CreateTable
CREATE TABLE "shop_customers" (
    "user_id" TEXT NOT NULL,
    "stripe_customer_id" TEXT NOT NULL,

    CONSTRAINT "shop_customers_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "shop_subscriptions" (
    "id" TEXT NOT NULL,
    "stripe_customer_id" TEXT NOT NULL,
    "plan" TEXT,
    "status" TEXT NOT NULL,
    "current_period_end" TIMESTAMP(3),
    "cancel_at" TIMESTAMP(3),
    "fencing_token" BIGINT NOT NULL,

    CONSTRAINT "shop_subscriptions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "shop_fencing_tokens" (
    "subscription_id" TEXT NOT NULL,
    "last" BIGINT NOT NULL,

    CONSTRAINT "shop_fencing_tokens_pkey" PRIMARY KEY ("subscription_id")
);

-- CreateTable
CREATE TABLE "shop_purchases" (
    "payment_intent_id" TEXT NOT NULL,
    "stripe_customer_id" TEXT NOT NULL,
    "plan" TEXT,
    "paid_at" TIMESTAMP(3),
    "refunded_at" TIMESTAMP(3),

    CONSTRAINT "shop_purchases_pkey" PRIMARY KEY ("payment_intent_id")
);

-- CreateTable
CREATE TABLE "shop_outbox" (
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "customer_external_id" TEXT NOT NULL,
    "report" JSONB NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "queued_at" TIMESTAMP(3) NOT NULL,
    "due_at" TIMESTAMP(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "last_status" INTEGER,
    "last_reason" TEXT,
    "finished_at" TIMESTAMP(3),
    "occurred_at" TIMESTAMP(3),
    "request_id" TEXT,

    CONSTRAINT "shop_outbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "shop_checkpoints" (
    "name" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "shop_checkpoints_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE UNIQUE INDEX "shop_customers_stripe_customer_id_key" ON "shop_customers"("stripe_customer_id");

-- CreateIndex
CREATE INDEX "shop_subscriptions_stripe_customer_id_idx" ON "shop_subscriptions"("stripe_customer_id");

-- CreateIndex
CREATE INDEX "shop_purchases_stripe_customer_id_idx" ON "shop_purchases"("stripe_customer_id");

-- CreateIndex
CREATE INDEX "shop_outbox_state_due_at_idx" ON "shop_outbox"("state", "due_at");

-- CreateIndex
CREATE INDEX "shop_outbox_queued_at_idx" ON "shop_outbox"("queued_at");

-- CreateIndex
CREATE INDEX "shop_outbox_customer_external_id_idx" ON "shop_outbox"("customer_external_id");
