-- AlterTable
ALTER TABLE "service_daily_counts" ADD COLUMN     "provisional_settled" INTEGER NOT NULL DEFAULT 0;
