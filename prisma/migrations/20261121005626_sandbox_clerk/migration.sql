-- CreateTable
CREATE TABLE "sandbox_clerk_users" (
    "id" TEXT NOT NULL,
    "password_hash" TEXT,
    "first_name" TEXT,
    "last_name" TEXT,
    "primary_email_id" TEXT,
    "unsafe_metadata" JSONB NOT NULL DEFAULT '{}',
    "public_metadata" JSONB NOT NULL DEFAULT '{}',
    "private_metadata" JSONB NOT NULL DEFAULT '{}',
    "last_sign_in_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sandbox_clerk_users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandbox_clerk_emails" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "strategy" TEXT NOT NULL,
    "code_sent_at" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "verified_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sandbox_clerk_emails_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandbox_clerk_external_accounts" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "strategy" TEXT NOT NULL,
    "provider_user_id" TEXT NOT NULL,
    "email_address" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sandbox_clerk_external_accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandbox_clerk_clients" (
    "id" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "sign_in_id" TEXT,
    "sign_up_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sandbox_clerk_clients_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandbox_clerk_sessions" (
    "id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "verified_at" TIMESTAMPTZ(3) NOT NULL,
    "last_active_at" TIMESTAMPTZ(3) NOT NULL,
    "expire_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sandbox_clerk_sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandbox_clerk_sign_ups" (
    "id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "email_address" TEXT,
    "password_hash" TEXT,
    "first_name" TEXT,
    "last_name" TEXT,
    "unsafe_metadata" JSONB NOT NULL DEFAULT '{}',
    "code_sent_at" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "verified_at" TIMESTAMPTZ(3),
    "oauth_flow_id" TEXT,
    "created_user_id" TEXT,
    "created_session_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sandbox_clerk_sign_ups_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandbox_clerk_sign_ins" (
    "id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "identifier" TEXT,
    "user_id" TEXT,
    "code_sent_at" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "oauth_flow_id" TEXT,
    "created_session_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sandbox_clerk_sign_ins_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandbox_clerk_oauth_flows" (
    "id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "strategy" TEXT NOT NULL,
    "redirect_url" TEXT NOT NULL,
    "complete_url" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "error_code" TEXT,
    "provider_user_id" TEXT,
    "email_address" TEXT,
    "first_name" TEXT,
    "last_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sandbox_clerk_oauth_flows_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "sandbox_clerk_users_created_at_id_idx" ON "sandbox_clerk_users"("created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_clerk_emails_address_key" ON "sandbox_clerk_emails"("address");

-- CreateIndex
CREATE INDEX "sandbox_clerk_emails_user_id_idx" ON "sandbox_clerk_emails"("user_id");

-- CreateIndex
CREATE INDEX "sandbox_clerk_external_accounts_user_id_idx" ON "sandbox_clerk_external_accounts"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_clerk_external_accounts_strategy_provider_user_id_key" ON "sandbox_clerk_external_accounts"("strategy", "provider_user_id");

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_clerk_clients_token_hash_key" ON "sandbox_clerk_clients"("token_hash");

-- CreateIndex
CREATE INDEX "sandbox_clerk_sessions_client_id_status_idx" ON "sandbox_clerk_sessions"("client_id", "status");

-- CreateIndex
CREATE INDEX "sandbox_clerk_sessions_user_id_idx" ON "sandbox_clerk_sessions"("user_id");

-- AddForeignKey
ALTER TABLE "sandbox_clerk_emails" ADD CONSTRAINT "sandbox_clerk_emails_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "sandbox_clerk_users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandbox_clerk_external_accounts" ADD CONSTRAINT "sandbox_clerk_external_accounts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "sandbox_clerk_users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandbox_clerk_sessions" ADD CONSTRAINT "sandbox_clerk_sessions_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "sandbox_clerk_clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandbox_clerk_sessions" ADD CONSTRAINT "sandbox_clerk_sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "sandbox_clerk_users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandbox_clerk_sign_ups" ADD CONSTRAINT "sandbox_clerk_sign_ups_oauth_flow_id_fkey" FOREIGN KEY ("oauth_flow_id") REFERENCES "sandbox_clerk_oauth_flows"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandbox_clerk_sign_ins" ADD CONSTRAINT "sandbox_clerk_sign_ins_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "sandbox_clerk_users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandbox_clerk_sign_ins" ADD CONSTRAINT "sandbox_clerk_sign_ins_oauth_flow_id_fkey" FOREIGN KEY ("oauth_flow_id") REFERENCES "sandbox_clerk_oauth_flows"("id") ON DELETE SET NULL ON UPDATE CASCADE;
