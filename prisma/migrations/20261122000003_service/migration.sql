-- CreateTable
CREATE TABLE "service_programs" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "lead_auth_policy" TEXT NOT NULL DEFAULT 'server_verified',
    "cookie_window_days" INTEGER NOT NULL DEFAULT 60,
    "attribution_window_days" INTEGER NOT NULL DEFAULT 60,
    "paused" BOOLEAN NOT NULL DEFAULT false,
    "payment_account_id" TEXT,
    "payment_mode" TEXT,
    "browser_requests_per_minute" INTEGER NOT NULL DEFAULT 600,
    "server_requests_per_minute" INTEGER NOT NULL DEFAULT 6000,
    "browser_ceiling_per_minute" INTEGER NOT NULL DEFAULT 60000,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "service_programs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "service_api_keys" (
    "id" TEXT NOT NULL,
    "program_id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "last4" TEXT NOT NULL,
    "label" TEXT NOT NULL DEFAULT '',
    "access" TEXT NOT NULL DEFAULT 'full',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "service_api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "service_dashboard_sessions" (
    "hash" TEXT NOT NULL,
    "program_id" TEXT NOT NULL,
    "api_key_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "service_dashboard_sessions_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "service_partners" (
    "id" TEXT NOT NULL,
    "program_id" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "service_partners_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "service_clicks" (
    "id" TEXT NOT NULL,
    "program_id" TEXT NOT NULL,
    "partner_id" TEXT NOT NULL,
    "affiliate_url" TEXT NOT NULL,
    "page_url" TEXT,
    "referrer_url" TEXT,
    "existing_click_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "service_clicks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "service_leads" (
    "id" TEXT NOT NULL,
    "program_id" TEXT NOT NULL,
    "test" BOOLEAN NOT NULL,
    "customer_key" TEXT NOT NULL,
    "click_id" TEXT,
    "partner_id" TEXT,
    "email" TEXT,
    "email_erased_at" TIMESTAMPTZ(3),
    "settled_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "service_leads_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "service_provisional_leads" (
    "click_id" TEXT NOT NULL,
    "program_id" TEXT NOT NULL,
    "partner_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "service_provisional_leads_pkey" PRIMARY KEY ("click_id")
);

-- CreateTable
CREATE TABLE "service_sales" (
    "id" TEXT NOT NULL,
    "program_id" TEXT NOT NULL,
    "test" BOOLEAN NOT NULL,
    "transaction_id" TEXT NOT NULL,
    "customer_key" TEXT,
    "click_id" TEXT,
    "partner_id" TEXT,
    "amount_cents" BIGINT NOT NULL,
    "refunded_cents" BIGINT NOT NULL DEFAULT 0,
    "currency" TEXT NOT NULL,
    "subscription_id" TEXT,
    "is_recurring" BOOLEAN NOT NULL DEFAULT false,
    "source" TEXT NOT NULL,
    "payment_account_id" TEXT,
    "payment_mode" TEXT,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "service_sales_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "service_payment_facts" (
    "account_id" TEXT NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "kind" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "rank" SMALLINT NOT NULL,
    "payment_intent_id" TEXT,
    "invoice_id" TEXT,
    "details" JSONB NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "service_payment_facts_pkey" PRIMARY KEY ("account_id","livemode","kind","id")
);

-- CreateTable
CREATE TABLE "service_unattributed_payments" (
    "program_id" TEXT NOT NULL,
    "transaction_id" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "service_unattributed_payments_pkey" PRIMARY KEY ("program_id","transaction_id")
);

-- CreateTable
CREATE TABLE "service_events" (
    "id" TEXT NOT NULL,
    "program_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "test" BOOLEAN NOT NULL DEFAULT false,
    "click_id" TEXT,
    "partner_code" TEXT,
    "customer_key" TEXT,
    "transaction_id" TEXT,
    "amount_cents" BIGINT,
    "currency" TEXT,
    "reason" TEXT,
    "occurred_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "service_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "service_daily_counts" (
    "program_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "partner_code" TEXT NOT NULL,
    "clicks" INTEGER NOT NULL DEFAULT 0,
    "provisional" INTEGER NOT NULL DEFAULT 0,
    "provisional_settled" INTEGER NOT NULL DEFAULT 0,
    "leads" INTEGER NOT NULL DEFAULT 0,
    "sales" INTEGER NOT NULL DEFAULT 0,
    "renewals" INTEGER NOT NULL DEFAULT 0,
    "refunds" INTEGER NOT NULL DEFAULT 0,
    "unattributed" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "service_daily_counts_pkey" PRIMARY KEY ("program_id","day","partner_code")
);

-- CreateTable
CREATE TABLE "service_daily_amounts" (
    "program_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "partner_code" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "sales_cents" BIGINT NOT NULL DEFAULT 0,
    "refunded_cents" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "service_daily_amounts_pkey" PRIMARY KEY ("program_id","day","partner_code","currency")
);

-- CreateTable
CREATE TABLE "service_closed_days" (
    "program_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "clicks" INTEGER NOT NULL,
    "provisional" INTEGER NOT NULL,
    "leads" INTEGER NOT NULL,
    "sales" INTEGER NOT NULL,
    "renewals" INTEGER NOT NULL,
    "refunds" INTEGER NOT NULL,
    "unattributed" INTEGER NOT NULL,

    CONSTRAINT "service_closed_days_pkey" PRIMARY KEY ("program_id","day")
);

-- CreateTable
CREATE TABLE "service_closed_day_amounts" (
    "program_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "currency" TEXT NOT NULL,
    "sales_cents" BIGINT NOT NULL,
    "refunded_cents" BIGINT NOT NULL,

    CONSTRAINT "service_closed_day_amounts_pkey" PRIMARY KEY ("program_id","day","currency")
);

-- CreateTable
CREATE TABLE "service_partner_totals" (
    "program_id" TEXT NOT NULL,
    "partner_code" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "clicks" BIGINT NOT NULL,
    "leads" BIGINT NOT NULL,
    "sales" BIGINT NOT NULL,
    "renewals" BIGINT NOT NULL,
    "revenue" JSONB NOT NULL,

    CONSTRAINT "service_partner_totals_pkey" PRIMARY KEY ("program_id","partner_code","day")
);

-- CreateTable
CREATE TABLE "service_rate_limits" (
    "bucket" TEXT NOT NULL,
    "window_start" TIMESTAMPTZ(3) NOT NULL,
    "requests" INTEGER NOT NULL,

    CONSTRAINT "service_rate_limits_pkey" PRIMARY KEY ("bucket")
);

-- CreateIndex
CREATE UNIQUE INDEX "service_api_keys_hash_key" ON "service_api_keys"("hash");

-- CreateIndex
CREATE INDEX "service_api_keys_program_id_created_at_idx" ON "service_api_keys"("program_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "service_partners_program_id_code_key" ON "service_partners"("program_id", "code");

-- CreateIndex
CREATE INDEX "service_clicks_program_id_created_at_idx" ON "service_clicks"("program_id", "created_at");

-- CreateIndex
CREATE INDEX "service_leads_program_id_created_at_id_idx" ON "service_leads"("program_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "service_leads_click_id_idx" ON "service_leads"("click_id");

-- CreateIndex
CREATE INDEX "service_leads_program_id_customer_key_idx" ON "service_leads"("program_id", "customer_key" text_pattern_ops);

-- CreateIndex
CREATE INDEX "service_leads_program_id_email_idx" ON "service_leads"("program_id", "email" text_pattern_ops);

-- CreateIndex
CREATE UNIQUE INDEX "service_leads_program_id_test_customer_key_key" ON "service_leads"("program_id", "test", "customer_key");

-- CreateIndex
CREATE INDEX "service_provisional_leads_program_id_created_at_idx" ON "service_provisional_leads"("program_id", "created_at");

-- CreateIndex
CREATE INDEX "service_sales_program_id_customer_key_test_currency_amount__idx" ON "service_sales"("program_id", "customer_key", "test", "currency", "amount_cents", "refunded_cents");

-- CreateIndex
CREATE INDEX "service_sales_transaction_id_idx" ON "service_sales"("transaction_id");

-- CreateIndex
CREATE INDEX "service_sales_subscription_id_idx" ON "service_sales"("subscription_id");

-- CreateIndex
CREATE INDEX "service_sales_click_id_idx" ON "service_sales"("click_id");

-- CreateIndex
CREATE UNIQUE INDEX "service_sales_program_id_test_transaction_id_key" ON "service_sales"("program_id", "test", "transaction_id");

-- CreateIndex
CREATE INDEX "service_payment_facts_payment_intent_id_idx" ON "service_payment_facts"("payment_intent_id");

-- CreateIndex
CREATE INDEX "service_payment_facts_invoice_id_idx" ON "service_payment_facts"("invoice_id");

-- CreateIndex
CREATE INDEX "service_payment_facts_created_at_idx" ON "service_payment_facts"("created_at");

-- CreateIndex
CREATE INDEX "service_events_program_id_created_at_id_idx" ON "service_events"("program_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "service_events_program_id_kind_test_created_at_id_idx" ON "service_events"("program_id", "kind", "test", "created_at", "id");

-- CreateIndex
CREATE INDEX "service_events_program_id_partner_code_kind_test_created_at_idx" ON "service_events"("program_id", "partner_code", "kind", "test", "created_at", "id");

-- CreateIndex
CREATE INDEX "service_events_program_id_customer_key_kind_test_created_at_idx" ON "service_events"("program_id", "customer_key", "kind", "test", "created_at", "id");

-- CreateIndex
CREATE INDEX "service_events_program_id_click_id_customer_key_kind_test_c_idx" ON "service_events"("program_id", "click_id", "customer_key", "kind", "test", "created_at", "id");

-- CreateIndex
CREATE INDEX "service_daily_counts_program_id_partner_code_day_idx" ON "service_daily_counts"("program_id", "partner_code", "day");

-- CreateIndex
CREATE INDEX "service_daily_amounts_program_id_partner_code_day_idx" ON "service_daily_amounts"("program_id", "partner_code", "day");

-- CreateIndex
CREATE INDEX "service_rate_limits_window_start_idx" ON "service_rate_limits"("window_start");

-- AddForeignKey
ALTER TABLE "service_api_keys" ADD CONSTRAINT "service_api_keys_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "service_programs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_dashboard_sessions" ADD CONSTRAINT "service_dashboard_sessions_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "service_programs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_dashboard_sessions" ADD CONSTRAINT "service_dashboard_sessions_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "service_api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_partners" ADD CONSTRAINT "service_partners_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "service_programs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_clicks" ADD CONSTRAINT "service_clicks_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "service_programs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_clicks" ADD CONSTRAINT "service_clicks_partner_id_fkey" FOREIGN KEY ("partner_id") REFERENCES "service_partners"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_leads" ADD CONSTRAINT "service_leads_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "service_programs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_leads" ADD CONSTRAINT "service_leads_click_id_fkey" FOREIGN KEY ("click_id") REFERENCES "service_clicks"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_leads" ADD CONSTRAINT "service_leads_partner_id_fkey" FOREIGN KEY ("partner_id") REFERENCES "service_partners"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_provisional_leads" ADD CONSTRAINT "service_provisional_leads_click_id_fkey" FOREIGN KEY ("click_id") REFERENCES "service_clicks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_provisional_leads" ADD CONSTRAINT "service_provisional_leads_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "service_programs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_provisional_leads" ADD CONSTRAINT "service_provisional_leads_partner_id_fkey" FOREIGN KEY ("partner_id") REFERENCES "service_partners"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_sales" ADD CONSTRAINT "service_sales_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "service_programs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_sales" ADD CONSTRAINT "service_sales_click_id_fkey" FOREIGN KEY ("click_id") REFERENCES "service_clicks"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_sales" ADD CONSTRAINT "service_sales_partner_id_fkey" FOREIGN KEY ("partner_id") REFERENCES "service_partners"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_unattributed_payments" ADD CONSTRAINT "service_unattributed_payments_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "service_programs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_events" ADD CONSTRAINT "service_events_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "service_programs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_daily_counts" ADD CONSTRAINT "service_daily_counts_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "service_programs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_daily_amounts" ADD CONSTRAINT "service_daily_amounts_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "service_programs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_closed_days" ADD CONSTRAINT "service_closed_days_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "service_programs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_closed_day_amounts" ADD CONSTRAINT "service_closed_day_amounts_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "service_programs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_partner_totals" ADD CONSTRAINT "service_partner_totals_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "service_programs"("id") ON DELETE CASCADE ON UPDATE CASCADE;
