// Runs a visitor through sign-up, purchase and renewal while something is broken, and compares what the tracking service has
// then with what it has once it is repaired.
import { setTimeout as delay } from 'node:timers/promises';
import { loadEnvironment, readDemoEnv } from '../local-env.mjs';
import { Visitor } from './visitor.mjs';

/** @typedef {{ kind: string, transaction_id?: string, amount_cents?: number, currency?: string, partner_code?: string, reason?: string, provisional?: boolean }} TrackingEvent */
/** @typedef {{ text: string, state: 'missing' | 'right' | 'wrong' }} Stage */
/** @typedef {Record<string, Stage>} Stages */
/** @typedef {import('./visitor.mjs').Invoice} Invoice */
/** @typedef {import('../../emulators/core/profile.ts').ScenarioTools} Tools */
/** @typedef {import('../../emulators/core/profile.ts').ScenarioRow} Row */
/**
 * @typedef {object} Break
 * @property {import('./visitor.mjs').Fault} [fault]
 * @property {boolean} [isBlocked] the tracker is blocked in the visitor's browser
 * @property {boolean} [isAfterArrival] it begins once the visitor has arrived, instead of before
 * @property {boolean} [delaysLead]
 */

const PARTNER = 'ada';
const PLAN = 'studio_monthly';
const NOTHING = 'Nothing recorded';
const LIMIT_MS = 90_000;
const POLL_MS = 250;

/** @type {Record<string, Break>} */
const BREAKS = {
  'service-outage': { fault: { outage: true }, isAfterArrival: true, delaysLead: true },
  'tracker-blocked': { isBlocked: true },
  'missing-metadata': { fault: { drop_subscription_metadata: true } },
  'duplicate-webhooks': { fault: { mode: 'duplicated' } },
  'out-of-order-webhooks': { fault: { mode: 'shuffled' } },
  'delayed-webhooks': { fault: { delay_seconds: 10 }, delaysLead: true },
};

/** @param {string} name @param {Tools} tools @returns {Promise<Row[]>} */
export async function runScenario(name, { report, introduce, formatMoney, ...addresses }) {
  const broken = BREAKS[name];
  if (!broken) throw new Error(`There is no scenario ${name}.`);
  const service = trackingService(addresses.appUrl, formatMoney);
  const visitor = new Visitor(addresses);
  introduce({ email: visitor.email });
  await visitor.refuseOutage();
  try {
    await visitor.setFault({});
    if (!broken.isAfterArrival) await turnOn(broken, visitor, report);
    report(`Arrives through the link of ${PARTNER}`);
    await visitor.arrive(PARTNER, service.programId);
    if (broken.isAfterArrival) await turnOn(broken, visitor, report);
    report(`Signs up as ${visitor.email}`);
    await visitor.signUp();
    introduce({ email: visitor.email, id: visitor.clickId ?? visitor.userId });
    report('Buys a subscription');
    await visitor.buy(PLAN);
    report('A month passes: Stripe renews the subscription');
    await visitor.renew();
    report('Reads what the tracking service has recorded so far');
    await untilNonePending(async () => listUnattempted(await visitor.listWebhooks()));
    const invoices = await visitor.listInvoices();
    const read = () => service.readStages(visitor, invoices);
    if (!broken.delaysLead && visitor.clickId) await untilNonePending(async () => listMissingLead(await read()));
    const during = await read();
    if (broken.fault) await visitor.checkFault(broken.fault);
    report('The fault is turned off');
    visitor.block(false);
    await visitor.setFault({});
    report('Waits for the outbox and for webhook retries');
    const after = await readSettled(visitor, read, during);
    return compare(during, after);
  } finally {
    await visitor.forgetFaults();
  }
}

/** @param {Break} broken @param {Visitor} visitor @param {(step: string) => void} report */
async function turnOn({ fault, isBlocked = false }, visitor, report) {
  report('The fault is turned on for this visitor');
  visitor.block(isBlocked);
  if (fault) await visitor.setFault(fault);
}

const OUTCOMES = /** @type {const} */ ({ missing: 'lost', wrong: 'wrong' });

/** @param {Stages} during @param {Stages} after @returns {Row[]} */
export function compare(during, after) {
  return Object.entries(after).map(([stage, { text, state }]) => {
    const before = during[stage]?.text ?? NOTHING;
    const outcome = state === 'right' ? (before === text ? 'survived' : 'recovered') : OUTCOMES[state];
    return { stage, during: before, after: text, outcome };
  });
}

/**
 * Asks until nothing is pending.
 * @param {() => Promise<string[]>} listPending
 * @throws an error that names what is still pending at the limit
 */
export async function untilNonePending(listPending, limitMs = LIMIT_MS) {
  const deadline = Date.now() + limitMs;
  for (let pending = await listPending(); pending.length > 0; pending = await listPending()) {
    if (Date.now() >= deadline) {
      throw new Error(`Still pending after ${limitMs / 1000} seconds: ${[...new Set(pending)].join(', ')}.`);
    }
    await delay(POLL_MS);
  }
}

/** The webhooks that are due and were never sent. @param {import('./visitor.mjs').Webhook[]} webhooks */
const listUnattempted = (webhooks) =>
  webhooks
    .filter(({ attempts, next_attempt_at: next }) => attempts.length === 0 && next && Date.parse(next) <= Date.now())
    .map(({ event_type: type }) => type);

/** @param {Stages} stages */
const listMissingLead = ({ Lead }) => (Lead?.state === 'missing' ? ['the lead'] : []);

/**
 * What the service has once every webhook was accepted and nothing changes any more.
 * @param {Visitor} visitor @param {() => Promise<Stages>} read @param {Stages} during
 */
async function readSettled(visitor, read, during) {
  let last = during;
  let same = 0;
  await untilNonePending(async () => {
    const [webhooks, now] = await Promise.all([visitor.listWebhooks(), read()]);
    const pending = [
      ...webhooks.filter(({ status }) => status === 'pending').map(({ event_type: type }) => type),
      ...(visitor.clickId ? listMissingLead(now) : []),
    ];
    same = pending.length === 0 && JSON.stringify(now) === JSON.stringify(last) ? same + 1 : 0;
    last = now;
    return pending.length === 0 && same < 8 ? ['the records of the tracking service, which still change'] : pending;
  });
  return last;
}

/** What the events API of the tracking service says. @param {string} appUrl @param {Tools['formatMoney']} formatMoney */
function trackingService(appUrl, formatMoney) {
  const local = loadEnvironment();
  const env = { ...readDemoEnv(local), ...local };
  /** @param {string} customer @returns {Promise<TrackingEvent[]>} oldest first */
  const listEvents = async (customer) => {
    const query = new URLSearchParams({ customer, limit: '100' });
    const headers = { authorization: `Bearer ${env.SVC_API_KEY}` };
    const ask = () => fetch(`${appUrl}/api/v1/events?${query}`, { headers });
    let response = await ask();
    for (let again = 0; response.status === 503 && again < 10; again++) {
      await delay(POLL_MS); // a service that is busy
      response = await ask();
    }
    if (!response.ok) throw new Error(`The events API returned ${response.status}.`);
    return (await response.json()).data.reverse();
  };
  return {
    programId: env.NEXT_PUBLIC_SVC_PROGRAM_ID ?? 'prg_demo',
    /** @param {Visitor} visitor @param {Invoice[]} invoices */
    async readStages({ userId, clickId }, invoices) {
      return stagesOf(await listEvents(userId), invoices, clickId, formatMoney);
    },
  };
}

/** The stage that an invoice pays for, by its `billing_reason`. */
const PAYMENTS = { subscription_create: 'First payment', subscription_cycle: 'Renewal' };

/**
 * What the tracking service has of each stage. Each invoice has to be one sale of the partner.
 * @param {TrackingEvent[]} events oldest first @param {Invoice[]} invoices those that Stripe reports as paid
 * @param {string | null} clickId @param {Tools['formatMoney']} formatMoney
 * @returns {Stages}
 */
export function stagesOf(events, invoices, clickId, formatMoney) {
  const leads = events.filter(({ kind, provisional }) => kind === 'lead' && !provisional);
  const payments = events.filter(({ kind }) => kind === 'sale' || kind === 'not_attributed');
  /** @param {TrackingEvent[]} own */
  const describePayments = (own) => describe(own, 'sale', (payment) => describePayment(payment, formatMoney));
  const ofReasons = Object.entries(PAYMENTS).map(([reason, stage]) => {
    const ids = invoices.filter((invoice) => invoice.reason === reason).map(({ id }) => id);
    return [stage, describePayments(payments.filter(({ transaction_id: id = '' }) => ids.includes(id)))];
  });
  const others = payments.filter(({ transaction_id: id }) => !invoices.some((invoice) => invoice.id === id));
  return {
    Click: clickId ? { text: `Recorded, ${PARTNER}`, state: 'right' } : { text: NOTHING, state: 'missing' },
    Lead: describe(leads, 'lead', ({ partner_code: partner }) => `Settled, ${partner}`),
    ...Object.fromEntries(ofReasons),
    ...(others.length > 0 && { 'Other payments': { ...describePayments(others), state: 'wrong' } }),
  };
}

/** @param {TrackingEvent[]} events @param {'lead' | 'sale'} kind @param {(event: TrackingEvent) => string} toText @returns {Stage} */
function describe(events, kind, toText) {
  const [first, second] = events;
  if (!first) return { text: NOTHING, state: 'missing' };
  const isRight = !second && first.kind === kind && first.partner_code === PARTNER;
  const state = isRight ? 'right' : events.some((event) => event.kind === kind) ? 'wrong' : 'missing';
  return { text: events.map(toText).join('; '), state };
}

/** @param {TrackingEvent} payment @param {Tools['formatMoney']} formatMoney */
function describePayment(
  { kind, reason, amount_cents: amount = 0, currency = 'usd', partner_code: partner },
  formatMoney,
) {
  return kind === 'sale' ? `Sale of ${formatMoney(amount, currency)}, ${partner}` : `Not attributed: ${reason}`;
}
