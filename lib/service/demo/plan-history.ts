import type { FeedKind } from '../events/kinds';
import type { EventReason } from '../response-schemas';
import { createRandom, type Random } from './random';

// Eight weeks of a small program, so that a new dashboard shows data and has a previous period to compare with. Pure: the same
// seed and time give the same history on every machine.

const HISTORY_DAYS = 56;

export type HistoryProgram = { programId: string; seed: number; isBrowserAllowed: boolean; clicksPerDay: number };

/** Rows by the columns of their tables, times as ISO 8601. */
type History = {
  partners: Array<{ code: string; name: string }>;
  clicks: Array<{ id: string; partner: string; created_at: string; page_url: string; referrer_url: string | null }>;
  provisional: Array<{ click_id: string; partner: string; created_at: string; settled_at: string | null }>;
  leads: Array<{
    id: string;
    test: boolean;
    customer_key: string;
    click_id: string | null;
    partner: string | null;
    email: string;
    created_at: string;
  }>;
  sales: Array<HistorySale>;
  events: Array<HistoryEvent>;
};

type HistorySale = {
  id: string;
  test: boolean;
  transaction_id: string;
  customer_key: string;
  click_id: string | null;
  partner: string | null;
  amount_cents: number;
  refunded_cents: number;
  currency: string;
  subscription_id: string | null;
  is_recurring: boolean;
  created_at: string;
};

type HistoryEvent = {
  id: string;
  kind: FeedKind;
  test: boolean;
  click_id: string | null;
  partner_code: string | null;
  customer_key: string | null;
  transaction_id: string | null;
  amount_cents: number | null;
  currency: string | null;
  reason: EventReason | null;
  created_at: string;
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type Weighted<Choice> = ReadonlyArray<readonly [choice: Choice, weight: number]>;

const PARTNERS: Weighted<{ code: string; name: string }> = [
  [{ code: 'ada', name: 'Ada Keller' }, 34],
  [{ code: 'grace', name: 'Grace Okafor' }, 24],
  [{ code: 'mei', name: 'Mei Tanaka' }, 18],
  [{ code: 'tomas', name: 'Tomás Rivera' }, 12],
  [{ code: 'noor', name: 'Noor Haddad' }, 8],
  [{ code: 'linus', name: 'Linus Berg' }, 4],
];
/** Linus became inactive three weeks ago: earlier clicks still convert. */
const INACTIVE_FOR = 21 * DAY;

const PRICES: Weighted<{ amount: number; currency: string; renews: boolean }> = [
  [{ amount: 1_900, currency: 'usd', renews: true }, 58],
  [{ amount: 19_000, currency: 'usd', renews: false }, 22],
  [{ amount: 39_900, currency: 'usd', renews: false }, 8],
  [{ amount: 2_800, currency: 'jpy', renews: true }, 12],
];

const REASONS: Weighted<EventReason> = [
  ['unknown_customer', 5],
  ['no_attribution', 3],
  ['unknown_click', 2],
  ['mode_mismatch', 1],
];

const REFERRERS = [
  'https://news.example/studios',
  'https://ceramics.example/tools',
  'https://video.example/watch',
  null,
];
const FIRST =
  'Aiko Amara Bruno Chiara Dmitri Elif Femi Greta Hana Ivan Jonas Kaia Leila Marco Nadia Omar Priya Rosa Sami Tara'.split(
    ' ',
  );
const LAST =
  'Abe Bauer Costa Diaz Eze Fischer Garcia Huang Ito Jansen Kaya Lopez Moreau Nkosi Olsen Park Rossi Silva Weber Zhou'.split(
    ' ',
  );

/** @param now the end of the history: nothing in it is later */
export function planHistory(program: HistoryProgram, now: Date): History {
  const random = createRandom(program.seed);
  const history: History = {
    partners: PARTNERS.map(([partner]) => partner),
    clicks: [],
    provisional: [],
    leads: [],
    sales: [],
    events: [],
  };
  const end = now.getTime();
  const today = Math.floor(end / DAY) * DAY;
  for (let index = 0; index < HISTORY_DAYS; index++) {
    const day = today - (HISTORY_DAYS - 1 - index) * DAY;
    const isWeekend = [0, 6].includes(new Date(day).getUTCDay());
    const expected = program.clicksPerDay * (0.5 + index / HISTORY_DAYS) * (isWeekend ? 0.6 : 1);
    const clicks = Math.round(expected * (0.75 + random.next() / 2));
    for (let click = 0; click < clicks; click++) {
      addVisitor(history, program, random, day + Math.floor((7 + 15 * random.next()) * HOUR), end);
    }
    if (random.isTrue(0.35)) addUnattributed(history, random, day + random.integer(8, 20) * HOUR);
    if (random.isTrue(0.12)) addTestRun(history, random, day + random.integer(9, 17) * HOUR);
  }
  // What would be later than now is left out. Parts of one customer's history are added in order, so it ends, with no gap.
  const isPast = (row: { created_at: string }) => Date.parse(row.created_at) <= end;
  return {
    ...history,
    clicks: history.clicks.filter(isPast),
    provisional: history.provisional.filter(isPast),
    leads: history.leads.filter(isPast),
    sales: history.sales.filter(isPast),
    events: history.events.filter(isPast).sort((a, b) => a.created_at.localeCompare(b.created_at)),
  };
}

const iso = (time: number) => new Date(time).toISOString();

type EventFields = Partial<Omit<HistoryEvent, 'id' | 'kind' | 'created_at'>>;

function addEvent({ events }: History, random: Random, kind: FeedKind, time: number, fields: EventFields): void {
  events.push({
    id: random.id('evt', 24),
    kind,
    test: false,
    click_id: null,
    partner_code: null,
    customer_key: null,
    transaction_id: null,
    amount_cents: null,
    currency: null,
    reason: null,
    ...fields,
    created_at: iso(time),
  });
}

function addVisitor(history: History, program: HistoryProgram, random: Random, clickedAt: number, end: number): void {
  const partner = random.pick(PARTNERS).code;
  if (clickedAt > end || (partner === 'linus' && clickedAt > end - INACTIVE_FOR)) return;
  const clickId = random.id('clk', 24);
  const ofClick = { click_id: clickId, partner_code: partner };
  history.clicks.push({
    id: clickId,
    partner,
    created_at: iso(clickedAt),
    page_url: `http://localhost:3000/?aff=${partner}`,
    referrer_url: REFERRERS[random.integer(0, REFERRERS.length - 1)] ?? null,
  });
  addEvent(history, random, 'click', clickedAt, ofClick);
  if (!random.isTrue(0.16)) return;
  const signedUpAt = clickedAt + random.integer(2, random.isTrue(0.7) ? 40 : 2_000) * MINUTE;
  const settledAt = random.isTrue(0.92) ? signedUpAt + random.integer(1, 4) * 1_000 : null;
  if (!program.isBrowserAllowed && signedUpAt <= end) {
    const isSettled = settledAt !== null && settledAt <= end;
    history.provisional.push({
      click_id: clickId,
      partner,
      created_at: iso(signedUpAt),
      settled_at: isSettled ? iso(settledAt) : null,
    });
    addEvent(history, random, 'provisional', signedUpAt, ofClick);
  }
  if (settledAt === null || settledAt > end) return;
  const customer = addLead(history, random, settledAt, { test: false, click_id: clickId, partner });
  if (random.isTrue(0.42)) addPayments(history, random, customer, settledAt + random.integer(1, 90) * HOUR, end);
}

type Customer = { test: boolean; customer_key: string; click_id: string | null; partner: string | null };

function addLead(history: History, random: Random, time: number, of: Omit<Customer, 'customer_key'>): Customer {
  const customer = { ...of, customer_key: random.id('user', 27) };
  const [first, last] = [FIRST, LAST].map((names) => names[random.integer(0, names.length - 1)]?.toLowerCase());
  const email = `${first}.${last}${history.leads.length}@example.com`;
  history.leads.push({ id: random.id('led', 24), ...customer, email, created_at: iso(time) });
  const { partner, ...rest } = customer;
  addEvent(history, random, 'lead', time, { ...rest, partner_code: partner });
  return customer;
}

function addPayments(history: History, random: Random, customer: Customer, firstAt: number, end: number): void {
  const price = random.pick(PRICES);
  const subscription = price.amount === 39_900 ? null : random.id('sub', 24);
  for (let paidAt = firstAt, isFirst = true; paidAt <= end; paidAt += 30 * DAY, isFirst = false) {
    const isLost = !isFirst && random.isTrue(0.08);
    const fields = { ...price, subscription, isRecurring: !isFirst };
    // A renewal whose subscription lost its metadata: kept with its reason, and no sale.
    const { customer_key } = customer;
    const { amount: amount_cents, currency } = price;
    const lost = { customer_key, amount_cents, currency, reason: 'no_attribution' } as const;
    if (isLost) addUnattributed(history, random, paidAt, lost);
    else addSale(history, random, customer, paidAt, fields, end);
    if (!price.renews || isLost) return;
  }
}

type Paid = { amount: number; currency: string; subscription: string | null; isRecurring: boolean };

function addSale(history: History, random: Random, customer: Customer, time: number, paid: Paid, end: number): void {
  const transactionId = random.id(paid.subscription ? 'in' : 'pi', 24);
  const { partner, ...rest } = customer;
  const event = { ...rest, partner_code: partner, transaction_id: transactionId, currency: paid.currency };
  const sale: HistorySale = {
    id: random.id('sal', 24),
    ...customer,
    transaction_id: transactionId,
    amount_cents: paid.amount,
    refunded_cents: 0,
    currency: paid.currency,
    subscription_id: paid.subscription,
    is_recurring: paid.isRecurring,
    created_at: iso(time),
  };
  history.sales.push(sale);
  addEvent(history, random, paid.isRecurring ? 'renewal' : 'sale', time, { ...event, amount_cents: paid.amount });
  const refundedAt = time + random.integer(8, 160) * HOUR;
  if (customer.test || !random.isTrue(0.1) || refundedAt > end) return;
  const isWhole = random.isTrue(0.6);
  sale.refunded_cents = isWhole ? paid.amount : Math.round(paid.amount / 2);
  addEvent(history, random, 'refund', refundedAt, {
    ...event,
    amount_cents: sale.refunded_cents,
    reason: isWhole && random.isTrue(0.25) ? 'dispute_lost' : null,
  });
}

function addUnattributed(history: History, random: Random, time: number, known: EventFields = {}): void {
  const reason = random.pick(REASONS);
  addEvent(history, random, 'not_attributed', time, {
    customer_key: reason === 'unknown_customer' ? random.id('user', 27) : null,
    transaction_id: random.id('in', 24),
    amount_cents: 1_900,
    currency: 'usd',
    reason,
    ...known,
  });
}

/** What an integrator's test run leaves: a test lead without a click, and a test sale. */
function addTestRun(history: History, random: Random, time: number): void {
  const customer = addLead(history, random, time, { test: true, click_id: null, partner: null });
  const paid = { amount: 1_900, currency: 'usd', subscription: random.id('sub', 24), isRecurring: false };
  addSale(history, random, customer, time + random.integer(1, 9) * MINUTE, paid, time);
}
