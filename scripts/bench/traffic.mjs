// Fills one program with a year of traffic of a realistic shape: many partners and few busy ones, a few customers with many
// payments, events of the same second, one event in fifty in test mode, one payment in a hundred delivered two days late.

/** @typedef {{ query(text: string, values?: unknown[]): Promise<unknown> }} Connection */

/** Rows for one statement: few enough for an embedded database to stay responsive. */
const ROWS_PER_STATEMENT = 1_000;

/**
 * @param {number} events how many entries the feed gets, about
 */
function planTraffic(events) {
  const clicks = Math.floor(events * 0.8);
  const leads = Math.floor(events * 0.05);
  const sales = Math.floor(events * 0.09);
  return { clicks, leads, sales, partners: Math.max(20, Math.min(2_000, Math.floor(events / 100))) };
}

export const partnerCode = (/** @type {number} */ index) => `partner_${index}`;
export const customerKey = (/** @type {number} */ index) => `customer_${index}`;

/**
 * Every statement takes the program's ID and the first and the last row of a chunk; `:rows`, `:partners` and `:leads` are how
 * many there are in all. `spread` draws small numbers far more often than large ones.
 */
const spread = (/** @type {string} */ key, /** @type {string} */ count) =>
  `floor(${count} * ((hashint8(i * 7919 + ${key}) & 65535) / 65536.0) ^ 3)::bigint`;
const moment = `date_trunc('second', now() - interval '365 days' * (1 - floor(i / 3.0) * 3 / :rows))`;
const isTest = `(hashint8(i) & 127) < 3`;
const rows = 'FROM generate_series($2::bigint, $3::bigint) AS i';

const statements = {
  partners: `INSERT INTO service_partners (id, program_id, code, name)
    SELECT $1 || '_par_' || i, $1, 'partner_' || i, 'Partner ' || i ${rows}`,
  clicks: `INSERT INTO service_clicks (id, program_id, partner_id, affiliate_url, created_at)
    SELECT $1 || '_clk_' || i, $1, $1 || '_par_' || ${spread('1', ':partners')}, 'https://shop.example/?aff=x', ${moment} ${rows}`,
  leads: `INSERT INTO service_leads (id, program_id, test, customer_key, click_id, partner_id, email, settled_by, created_at)
    SELECT $1 || '_led_' || i, $1, ${isTest}, 'customer_' || i, c.id, c.partner_id, 'customer_' || i || '@example.com', 'server',
      ${moment} ${rows} JOIN service_clicks c ON c.id = $1 || '_clk_' || i * 16`,
  sales: `INSERT INTO service_sales (id, program_id, test, transaction_id, customer_key, click_id, partner_id, amount_cents,
      currency, is_recurring, source, occurred_at, created_at)
    SELECT $1 || '_sal_' || i, $1, l.test, 'in_' || i, l.customer_key, l.click_id, l.partner_id, 1900,
      CASE WHEN i % 5 = 0 THEN 'eur' ELSE 'usd' END, i % 2 = 0, 'payment', ${moment} - interval '2 days' * (i % 101 = 0)::int, ${moment}
    ${rows} JOIN service_leads l ON l.id = $1 || '_led_' || ${spread('2', ':leads')}`,
};

/** What the payment webhooks left: the invoice and its payment of every sale. */
const facts = {
  invoices: `INSERT INTO service_payment_facts (account_id, livemode, kind, id, rank, invoice_id, details, occurred_at, created_at)
    SELECT '', true, 'invoice', s.transaction_id, 1, s.transaction_id,
      jsonb_build_object('paidCents', 1900, 'totalCents', 1900, 'taxCents', 0, 'currency', s.currency, 'subscriptionId', null,
        'isRecurring', s.is_recurring, 'metadata', jsonb_build_object('programId', $1::text, 'clickId', s.click_id,
          'customerKey', s.customer_key)), s.occurred_at, s.created_at
    ${rows} JOIN service_sales s ON s.id = $1 || '_sal_' || i`,
  links: `INSERT INTO service_payment_facts (account_id, livemode, kind, id, rank, payment_intent_id, invoice_id, details,
      occurred_at, created_at)
    SELECT '', true, 'link', 'pi_' || i, 1, 'pi_' || i, s.transaction_id, '{}', s.occurred_at, s.created_at
    ${rows} JOIN service_sales s ON s.id = $1 || '_sal_' || i`,
};

const feed = {
  clicks: `INSERT INTO service_events (id, program_id, kind, test, click_id, partner_code, created_at)
    SELECT 'evt_c' || c.id, $1, 'click', false, c.id, a.code, c.created_at
    ${rows} JOIN service_clicks c ON c.id = $1 || '_clk_' || i JOIN service_partners a ON a.id = c.partner_id`,
  provisional: `INSERT INTO service_events (id, program_id, kind, test, click_id, partner_code, created_at)
    SELECT 'evt_p' || l.id, $1, 'provisional', false, l.click_id, a.code, l.created_at
    ${rows} JOIN service_leads l ON l.id = $1 || '_led_' || i JOIN service_partners a ON a.id = l.partner_id`,
  leads: `INSERT INTO service_events (id, program_id, kind, test, click_id, partner_code, customer_key, created_at)
    SELECT 'evt_l' || l.id, $1, 'lead', l.test, l.click_id, a.code, l.customer_key, l.created_at
    ${rows} JOIN service_leads l ON l.id = $1 || '_led_' || i JOIN service_partners a ON a.id = l.partner_id`,
  sales: `INSERT INTO service_events (id, program_id, kind, test, click_id, partner_code, customer_key, transaction_id,
      amount_cents, currency, occurred_at, created_at)
    SELECT 'evt_s' || s.id, $1, CASE WHEN s.is_recurring THEN 'renewal' ELSE 'sale' END, s.test, s.click_id, a.code,
      s.customer_key, s.transaction_id, s.amount_cents, s.currency, s.occurred_at, s.created_at
    ${rows} JOIN service_sales s ON s.id = $1 || '_sal_' || i JOIN service_partners a ON a.id = s.partner_id`,
  refunds: `INSERT INTO service_events (id, program_id, kind, test, click_id, partner_code, customer_key, transaction_id,
      amount_cents, currency, created_at)
    SELECT 'evt_r' || s.id, $1, 'refund', s.test, s.click_id, a.code, s.customer_key, s.transaction_id, 500, s.currency, s.created_at
    ${rows} JOIN service_sales s ON s.id = $1 || '_sal_' || i * 18 JOIN service_partners a ON a.id = s.partner_id`,
  unattributed: `INSERT INTO service_events (id, program_id, kind, customer_key, transaction_id, amount_cents, currency, reason, created_at)
    SELECT 'evt_n' || $1 || i, $1, 'not_attributed', 'stranger_' || i, 'pi_' || i, 1900, 'usd', 'unknown_customer', ${moment} ${rows}`,
};

const dayOf = (/** @type {string} */ time) => `(${time} AT TIME ZONE 'UTC')::date`;
const occurredOn = dayOf('coalesce(occurred_at, created_at)');

const rollups = [
  { kind: 'daily', recorded: '=' },
  { kind: 'late', recorded: '<>' },
].flatMap(({ kind, recorded }) => {
  const where = `WHERE program_id = $1 AND NOT test AND ${occurredOn} ${recorded} ${dayOf('created_at')}`;
  const clicks = kind === 'daily' ? ['clicks', 'provisional', 'provisional_settled'] : [];
  const clickCounts = ['click', 'provisional', 'provisional'].map((of) => `count(*) FILTER (WHERE kind = '${of}')`);
  return [
    `INSERT INTO service_${kind}_counts (${['program_id, day, partner_code', ...clicks].join()}, leads, sales, renewals, refunds,
      unattributed)
    SELECT ${['program_id', occurredOn, "coalesce(partner_code, '')", ...clickCounts.slice(0, clicks.length)].join()},
      count(*) FILTER (WHERE kind = 'lead'), count(*) FILTER (WHERE kind IN ('sale', 'renewal')),
      count(*) FILTER (WHERE kind = 'renewal'), count(*) FILTER (WHERE kind = 'refund'), count(*) FILTER (WHERE kind = 'not_attributed')
    FROM service_events ${where} GROUP BY 1, 2, 3`,
    `INSERT INTO service_${kind}_amounts (program_id, day, partner_code, currency, sales_cents, refunded_cents)
    SELECT program_id, ${occurredOn}, coalesce(partner_code, ''), currency,
      coalesce(sum(amount_cents) FILTER (WHERE kind IN ('sale', 'renewal')), 0),
      coalesce(sum(amount_cents) FILTER (WHERE kind = 'refund'), 0)
    FROM service_events ${where} AND kind IN ('sale', 'renewal', 'refund') GROUP BY 1, 2, 3, 4`,
  ];
});

/**
 * @param {Connection} connection in UTC, without a limit for statements
 * @param {string} programId of a program that has no partners yet
 * @param {number} events how many entries its feed gets, about
 * @param {number} [rowsPerStatement]
 */
export async function fillWithTraffic(connection, programId, events, rowsPerStatement = ROWS_PER_STATEMENT) {
  const plan = planTraffic(events);
  const fill = async (/** @type {string} */ statement, /** @type {number} */ count) => {
    const numbers = { rows: count, ...plan };
    const text = statement.replace(/:(rows|partners|leads)\b/g, (_, name) => String(Reflect.get(numbers, name)));
    for (let first = 0; first < count; first += rowsPerStatement) {
      const last = Math.min(first + rowsPerStatement, count) - 1;
      await connection.query(text, [programId, first, last]);
    }
  };
  await fill(statements.partners, plan.partners);
  await fill(statements.clicks, plan.clicks);
  await connection.query('ANALYZE service_clicks'); // the rest joins it
  await fill(statements.leads, plan.leads);
  await connection.query('ANALYZE service_leads');
  await fill(statements.sales, plan.sales);
  await fill(facts.invoices, plan.sales);
  await fill(facts.links, plan.sales);
  await fill(feed.clicks, plan.clicks);
  await fill(feed.provisional, plan.leads);
  await fill(feed.leads, plan.leads);
  await fill(feed.sales, plan.sales);
  await fill(feed.refunds, Math.floor(plan.sales / 18));
  await fill(feed.unattributed, Math.floor(events / 200));
  for (const statement of rollups) await connection.query(statement, [programId]);
  for (const table of [
    'partners',
    'clicks',
    'leads',
    'sales',
    'payment_facts',
    'events',
    'daily_counts',
    'daily_amounts',
    'late_counts',
    'late_amounts',
  ]) {
    await connection.query(`VACUUM ANALYZE service_${table}`);
  }
}
