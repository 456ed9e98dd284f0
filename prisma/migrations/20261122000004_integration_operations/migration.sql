-- AlterTable
ALTER TABLE "shop_outbox" ADD COLUMN     "occurred_at" TIMESTAMP(3),
ADD COLUMN     "request_id" TEXT;

-- CreateIndex
CREATE INDEX "shop_outbox_queued_at_idx" ON "shop_outbox"("queued_at");
