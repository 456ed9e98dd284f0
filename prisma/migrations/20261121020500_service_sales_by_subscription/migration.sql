-- CreateIndex
CREATE INDEX "service_sales_subscription_id_idx" ON "service_sales"("subscription_id");
