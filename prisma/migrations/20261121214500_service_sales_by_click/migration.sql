-- Whether a sale came from a click, for retention.
CREATE INDEX "service_sales_click_id_idx" ON "service_sales"("click_id");
