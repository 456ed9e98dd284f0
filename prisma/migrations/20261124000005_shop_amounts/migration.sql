-- A transfer of twelve digits, as in IDR, is more than an integer holds.
ALTER TABLE "shop_transfers" ALTER COLUMN "amount" TYPE BIGINT;
