/** Changes with every incompatible change of the tables below. */
export const SCHEMA_VERSION = '2';

/** Safe to run again: what exists stays. */
export const SCHEMA = `
-- Every object of both providers in its API form, such as stripe.invoice and clerk.user.
CREATE TABLE IF NOT EXISTS object (
  id text NOT NULL, -- unique, except for IDs chosen by the seller: a product and a coupon may share one
  sequence bigserial UNIQUE,
  type text NOT NULL,
  customer text,
  data jsonb NOT NULL,
  internal jsonb NOT NULL DEFAULT '{}', -- what the API does not show: how a card behaves, an endpoint's secret
  due_at bigint,                        -- when it changes by itself, in Unix seconds of its customer's clock
  PRIMARY KEY (id, type)
);
CREATE INDEX IF NOT EXISTS object_type ON object (type, sequence);
CREATE INDEX IF NOT EXISTS object_customer ON object (customer, type);
CREATE INDEX IF NOT EXISTS object_due ON object (due_at) WHERE due_at IS NOT NULL;

-- Values that one object of a type alone may have, such as an email address.
CREATE TABLE IF NOT EXISTS unique_value (
  type text NOT NULL,
  value text NOT NULL,
  object text NOT NULL,
  PRIMARY KEY (type, value),
  FOREIGN KEY (object, type) REFERENCES object (id, type) ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS unique_value_object ON unique_value (object);

CREATE TABLE IF NOT EXISTS idempotency_key (
  key text PRIMARY KEY,
  fingerprint text NOT NULL,
  request_id text NOT NULL,
  status int NOT NULL,
  body text NOT NULL
);
ALTER TABLE idempotency_key ADD COLUMN IF NOT EXISTS created_at timestamptz NOT NULL DEFAULT now();

-- One event for one endpoint: pending until the endpoint responds with 2xx or the attempts are used up.
CREATE TABLE IF NOT EXISTS delivery (
  id text PRIMARY KEY,
  sequence bigserial UNIQUE,
  provider text NOT NULL,
  url text NOT NULL,
  secret text NOT NULL,
  event_id text NOT NULL,
  event_type text NOT NULL,
  body text NOT NULL,
  subject text NOT NULL,               -- whose event it is: an email address where there is one
  status text NOT NULL DEFAULT 'pending',
  attempt_count int NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  leased_until timestamptz,
  occurred_at timestamptz NOT NULL,    -- on the emulators' clock
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX IF NOT EXISTS delivery_due ON delivery (next_attempt_at) WHERE status = 'pending';
CREATE INDEX IF NOT EXISTS delivery_subject ON delivery (subject, sequence);
CREATE INDEX IF NOT EXISTS delivery_event ON delivery (event_id);

CREATE TABLE IF NOT EXISTS delivery_attempt (
  id bigserial PRIMARY KEY,
  delivery text NOT NULL REFERENCES delivery ON DELETE CASCADE,
  request_headers jsonb NOT NULL,
  response_status int,
  response_body text,
  error text,                          -- why there is no response: refused, timed out
  duration_ms int NOT NULL,
  attempted_at timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS delivery_attempt_delivery ON delivery_attempt (delivery);

-- What goes wrong on request; the subject is empty where it goes wrong for everyone.
CREATE TABLE IF NOT EXISTS fault (
  name text NOT NULL,
  subject text NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (name, subject)
);

-- How far a clock is ahead of the wall clock: everyone's (empty subject) and, on top of it, one customer's.
CREATE TABLE IF NOT EXISTS clock (subject text PRIMARY KEY, offset_seconds bigint NOT NULL);

-- Each HTTP message that passed the emulators or the recorder, redacted when it was captured.
CREATE TABLE IF NOT EXISTS message (
  id bigserial PRIMARY KEY,
  at timestamptz NOT NULL,
  data jsonb NOT NULL,
  visitor text,
  subjects text[] NOT NULL DEFAULT '{}' -- IDs and email addresses in it
);
-- Whether Next sends it (a prefetch or a navigation), or a page's script polls it: fetch() with cache: 'no-store' sends this header.
ALTER TABLE message ADD COLUMN IF NOT EXISTS is_background boolean GENERATED ALWAYS AS (coalesce(
  strpos(data->>'path', '_rsc=') > 0
    OR (data->>'method' = 'GET' AND data->>'from' = 'browser' AND data->>'to' IN ('app', 'service')
      AND data #>> '{request,headers,sec-fetch-dest}' = 'empty' AND data #>> '{request,headers,cache-control}' = 'no-cache'),
  false)) STORED;
CREATE INDEX IF NOT EXISTS message_visitor ON message (visitor, id);
CREATE INDEX IF NOT EXISTS message_without_visitor ON message (id) WHERE visitor IS NULL;

-- Which browser an ID or email address belongs to, so that messages between servers find their visitor.
CREATE TABLE IF NOT EXISTS visitor_subject (subject text PRIMARY KEY, visitor text NOT NULL);

CREATE TABLE IF NOT EXISTS secret (name text PRIMARY KEY, value text NOT NULL);
`;

/** One-time setup, not a customer's history: a reset keeps it, so that a running app keeps working. */
const SET_UP = [
  'product',
  'price',
  'coupon',
  'promotion_code',
  'tax_rate',
  'billing_portal.configuration',
  'webhook_endpoint',
].map((type) => `'stripe.${type}'`);

const USED_UP = (alias: string) => `${alias}.data->>'times_redeemed' = ${alias}.data->>'max_redemptions'`;

/**
 * Empties the state. Secrets and one-time setup stay. Redemptions are undone: a coupon or code that was used up is valid again, even if
 * the code was also switched off by hand.
 */
export const RESET = `
DELETE FROM object WHERE type NOT IN (${SET_UP.join(', ')})
  OR (type = 'stripe.promotion_code' AND data->>'customer' IS NOT NULL);
UPDATE object AS code SET data = code.data || CASE
  WHEN ${USED_UP('code')} OR EXISTS (
    SELECT FROM object AS coupon
    WHERE coupon.type = 'stripe.coupon' AND coupon.id = code.data->'promotion'->>'coupon' AND ${USED_UP('coupon')})
  THEN '{"times_redeemed": 0, "active": true}'::jsonb ELSE '{"times_redeemed": 0}' END
WHERE type = 'stripe.promotion_code';
UPDATE object AS coupon SET data = coupon.data || CASE
  WHEN ${USED_UP('coupon')} THEN '{"times_redeemed": 0, "valid": true}'::jsonb ELSE '{"times_redeemed": 0}' END
WHERE type = 'stripe.coupon';
TRUNCATE idempotency_key, delivery, delivery_attempt, fault, clock, message, visitor_subject;
`;
