// Runs a visitor through sign-up, purchase and renewal while something is broken, and compares what the tracking service has
// then with what it has once it is repaired.
import { setTimeout as delay } from 'node:timers/promises';
import { loadEnvironment, readDemoEnv } from '../local-env.mjs';
import { Visitor } from './visitor.mjs';

/** @typedef {{ kind: string, amount_cents?: number, currency?: string, partner_code?: string, reason?: string, provisional?: boolean }} TrackingEvent */
/** @typedef {Record<string, string>} Stages what is known of each stage */
/** @typedef {import('../../emulators/core/profile.ts').ScenarioTools} Tools */
/** @typedef {import('../../emulators/core/profile.ts').ScenarioRow} Row */
/**
 * @typedef {object} Break
 * @property {(visitor: Visitor) => Promise<void> | void} on before the visitor arrives, or once they have arrived
 * @property {(visitor: Visitor) => Promise<void> | void} off
 * @property {boolean} [afterArrival]
 * @property {boolean} [delaysLead]
 */

const PARTNER = 'ada';
const PLAN = 'studio_monthly';
const NOTHING = 'Nothing recorded';
const LIMIT_MS = 90_000;
const ATTEMPT_LIMIT_MS = 15_000;
const POLL_MS = 250;

/** @param {object} on @param {object} off @param {Pick<Break, 'afterArrival' | 'delaysLead'>} [options] @returns {Break} */
const fault = (on, off, options) => ({
  on: (visitor) => visitor.setFault(on),
  off: (visitor) => visitor.setFault(off),
  ...options,
});

/** @type {Record<string, Break>} */
const BREAKS = {
  'service-outage': fault({ outage: true }, { outage: null }, { afterArrival: true, delaysLead: true }),
  'tracker-blocked': { on: (visitor) => visitor.block(true), off: (visitor) => visitor.block(false) },
  'missing-metadata': fault({ drop_subscription_metadata: true }, { drop_subscription_metadata: null }),
  'duplicate-webhooks': fault({ mode: 'duplicated' }, { mode: null }),
  'out-of-order-webhooks': fault({ mode: 'shuffled' }, { mode: null }),
  'delayed-webhooks': fault({ delay_seconds: 10 }, { delay_seconds: null }, { delaysLead: true }),
};

/** @param {string} name @param {Tools} tools @returns {Promise<Row[]>} */
export async function runScenario(name, { report, introduce, formatMoney, ...addresses }) {
  const broken = BREAKS[name];
  if (!broken) throw new Error(`There is no scenario ${name}.`);
  const service = trackingService(addresses.appUrl, formatMoney);
  const visitor = new Visitor(addresses);
  introduce({ email: visitor.email });
  try {
    if (!broken.afterArrival) await turnOn(broken, visitor, report);
    report(`Arrives through the link of ${PARTNER}`);
    await visitor.arrive(PARTNER, service.programId);
    if (broken.afterArrival) await turnOn(broken, visitor, report);
    report(`Signs up as ${visitor.email}`);
    await visitor.signUp();
    introduce({ email: visitor.email, id: visitor.clickId ?? visitor.userId });
    report('Buys a subscription');
    await visitor.buy(PLAN);
    report('A month passes: Stripe renews the subscription');
    await visitor.renew();
    report('Reads what the tracking service has recorded so far');
    await untilAttempted(visitor);
    const read = () => service.readStages(visitor);
    const during = broken.delaysLead || !visitor.clickId ? await read() : await untilLead(read);
    report('The fault is turned off');
    await broken.off(visitor);
    report('Waits for the outbox and for webhook retries');
    const after = await untilSettled(visitor, read, during);
    return compare(during, after);
  } finally {
    await broken.off(visitor);
  }
}

/** @param {Break} broken @param {Visitor} visitor @param {(step: string) => void} report */
async function turnOn(broken, visitor, report) {
  report('The fault is turned on for this visitor');
  await broken.on(visitor);
}

/** @param {Stages} during @param {Stages} after @returns {Row[]} */
export function compare(during, after) {
  return Object.entries(after).map(([stage, now]) => {
    const before = during[stage] ?? NOTHING;
    const isLost = now === NOTHING || now.startsWith('Not attributed');
    return { stage, during: before, after: now, outcome: isLost ? 'lost' : before === now ? 'survived' : 'recovered' };
  });
}

/** Waits until each webhook that is due was sent once. @param {Visitor} visitor */
async function untilAttempted(visitor) {
  const deadline = Date.now() + ATTEMPT_LIMIT_MS;
  const isWaiting = async () =>
    (await visitor.listWebhooks()).some(
      ({ attempts, next_attempt_at: next }) => attempts.length === 0 && next && Date.parse(next) <= Date.now(),
    );
  while (Date.now() < deadline && (await isWaiting())) await delay(POLL_MS);
}

/**
 * Waits for a lead that the fault does not delay: the outbox asks a slow service again.
 * @param {() => Promise<Stages>} read
 */
async function untilLead(read) {
  const deadline = Date.now() + LIMIT_MS;
  let stages = await read();
  while (stages.Lead === NOTHING && Date.now() < deadline) {
    await delay(POLL_MS);
    stages = await read();
  }
  return stages;
}

/**
 * Waits until every webhook was accepted and what the service has stays the same.
 * @param {Visitor} visitor @param {() => Promise<Stages>} read @param {Stages} during
 */
async function untilSettled(visitor, read, during) {
  const deadline = Date.now() + LIMIT_MS;
  let last = during;
  for (let same = 0; Date.now() < deadline && same < 8; ) {
    await delay(POLL_MS);
    const [webhooks, now] = await Promise.all([visitor.listWebhooks(), read()]);
    const isWaiting =
      webhooks.some(({ status }) => status === 'pending') || (visitor.clickId !== null && now.Lead === NOTHING);
    same = !isWaiting && JSON.stringify(now) === JSON.stringify(last) ? same + 1 : 0;
    last = now;
  }
  return last;
}

/** What the events API of the tracking service says. @param {string} appUrl @param {Tools['formatMoney']} formatMoney */
function trackingService(appUrl, formatMoney) {
  const local = loadEnvironment();
  const env = { ...readDemoEnv(local), ...local };
  const baseUrl = env.NEXT_PUBLIC_SVC_BASE_URL ?? appUrl;
  /** @param {string} customer @returns {Promise<TrackingEvent[]>} oldest first */
  const listEvents = async (customer) => {
    const query = new URLSearchParams({ customer, limit: '100' });
    const headers = { authorization: `Bearer ${env.SVC_API_KEY}` };
    const ask = () => fetch(`${baseUrl}/api/v1/events?${query}`, { headers });
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
    /** @param {Visitor} visitor @returns {Promise<Stages>} */
    async readStages({ clickId, userId }) {
      const events = await listEvents(userId);
      const lead = events.find(({ kind }) => kind === 'lead');
      const [first, second] = events.filter(({ kind }) => kind === 'sale' || kind === 'not_attributed');
      return {
        Click: clickId ? `Recorded, ${PARTNER}` : NOTHING,
        Lead: lead ? `Settled, ${lead.partner_code}` : NOTHING,
        'First payment': describe(first, formatMoney),
        Renewal: describe(second, formatMoney),
      };
    },
  };
}

/** @param {TrackingEvent | undefined} event @param {Tools['formatMoney']} formatMoney */
function describe(event, formatMoney) {
  if (!event) return NOTHING;
  if (event.kind === 'not_attributed') return `Not attributed: ${event.reason}`;
  return `Sale of ${formatMoney(event.amount_cents ?? 0, event.currency ?? 'usd')}, ${event.partner_code}`;
}
