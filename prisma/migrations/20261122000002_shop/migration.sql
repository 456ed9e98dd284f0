-- CreateTable
CREATE TABLE "shop_transfers" (
    "invoice_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "plan" TEXT NOT NULL,
    "amount" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "requested_at" TIMESTAMP(3) NOT NULL,
    "paid_at" TIMESTAMP(3),
    "open_for" TEXT,

    CONSTRAINT "shop_transfers_pkey" PRIMARY KEY ("invoice_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "shop_transfers_open_for_key" ON "shop_transfers"("open_for");

-- CreateIndex
CREATE INDEX "shop_transfers_user_id_idx" ON "shop_transfers"("user_id");
