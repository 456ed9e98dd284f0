-- Erasure left '' in the clicks that a customer's click had replaced, which retention took for handled and never deleted.
UPDATE "service_clicks" c SET "affiliate_url" = 'erased'
WHERE "affiliate_url" = ''
  AND NOT EXISTS (SELECT FROM "service_leads" l WHERE l."click_id" = c."id")
  AND NOT EXISTS (SELECT FROM "service_sales" s WHERE s."click_id" = c."id");
