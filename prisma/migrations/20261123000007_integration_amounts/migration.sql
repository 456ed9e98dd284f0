-- A price of twelve digits, as in IDR, is more than an integer holds.
ALTER TABLE "shop_subscriptions" ALTER COLUMN "amount" TYPE BIGINT;
