-- CreateTable
CREATE TABLE "sandbox_delivery" (
    "id" TEXT NOT NULL,
    "sequence" BIGSERIAL NOT NULL,
    "provider" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "secret_name" TEXT,
    "secret" TEXT,
    "event_id" TEXT NOT NULL,
    "event_type" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "leased_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sandbox_delivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandbox_delivery_attempt" (
    "id" BIGSERIAL NOT NULL,
    "delivery_id" TEXT NOT NULL,
    "request_headers" JSONB NOT NULL,
    "answer_status" INTEGER,
    "answer_body" TEXT,
    "error" TEXT,
    "duration_ms" INTEGER NOT NULL,
    "attempted_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sandbox_delivery_attempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandbox_setting" (
    "name" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "value" TEXT NOT NULL,

    CONSTRAINT "sandbox_setting_pkey" PRIMARY KEY ("name","subject")
);

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_delivery_sequence_key" ON "sandbox_delivery"("sequence");

-- CreateIndex
CREATE INDEX "sandbox_delivery_status_next_attempt_at_idx" ON "sandbox_delivery"("status", "next_attempt_at");

-- CreateIndex
CREATE INDEX "sandbox_delivery_url_subject_sequence_idx" ON "sandbox_delivery"("url", "subject", "sequence");

-- CreateIndex
CREATE INDEX "sandbox_delivery_event_id_idx" ON "sandbox_delivery"("event_id");

-- CreateIndex
CREATE INDEX "sandbox_delivery_attempt_delivery_id_idx" ON "sandbox_delivery_attempt"("delivery_id");

-- AddForeignKey
ALTER TABLE "sandbox_delivery_attempt" ADD CONSTRAINT "sandbox_delivery_attempt_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "sandbox_delivery"("id") ON DELETE CASCADE ON UPDATE CASCADE;
