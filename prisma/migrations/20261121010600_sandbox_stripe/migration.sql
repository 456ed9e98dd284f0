-- CreateTable
CREATE TABLE "sandbox_stripe_object" (
    "id" TEXT NOT NULL,
    "sequence" BIGSERIAL NOT NULL,
    "type" TEXT NOT NULL,
    "customer" TEXT,
    "data" JSONB NOT NULL,
    "internal" JSONB NOT NULL DEFAULT '{}',
    "due_at" BIGINT,

    CONSTRAINT "sandbox_stripe_object_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandbox_stripe_request" (
    "key" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "body" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sandbox_stripe_request_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "sandbox_clock" (
    "subject" TEXT NOT NULL,
    "offset_seconds" BIGINT NOT NULL,

    CONSTRAINT "sandbox_clock_pkey" PRIMARY KEY ("subject")
);

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_stripe_object_sequence_key" ON "sandbox_stripe_object"("sequence");

-- CreateIndex
CREATE INDEX "sandbox_stripe_object_type_sequence_idx" ON "sandbox_stripe_object"("type", "sequence");

-- CreateIndex
CREATE INDEX "sandbox_stripe_object_customer_type_idx" ON "sandbox_stripe_object"("customer", "type");

-- CreateIndex
CREATE INDEX "sandbox_stripe_object_due_at_idx" ON "sandbox_stripe_object"("due_at");


