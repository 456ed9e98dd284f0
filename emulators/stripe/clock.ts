// Emulated time for the control room and the control routes: it moves everyone's clock, or one customer's.
import { moveClock, stepMonths } from '../core/clock';
import type { Emulator } from '../core/emulator';
import { changeAccount, readAccount } from './account';
import { overdueInvoice } from './billing/collection';
import { nextDue, runDue } from './due';
import { renewsOrEndsAt } from './pricing/periods';
import type { Store } from './store';
import type { ApiObject } from './wire';

type Customer = ApiObject<'customer'>;

/** Five years, in seconds. More would be a mistake, such as milliseconds for seconds. */
const LONGEST_ADVANCE = 5 * 366 * 86_400;

export class TooFarError extends Error {
  override readonly name = 'TooFarError';
  override readonly message = 'Time moves by at most five years at once.';
}

export type ClockChange = {
  advance_seconds?: number | undefined;
  /** A time, as Unix seconds or ISO 8601, or the next thing that happens. An earlier time changes nothing. */
  advance_to?: 'next' | number | string | undefined;
  /** To the end of a current period: nothing else that is due stops it earlier. */
  to_next_renewal?: true | undefined;
  /** Calendar months. The last day of a month leads to the last day of another. */
  months?: number | undefined;
  /** ID or email address; everyone if absent. */
  customer?: string | undefined;
};

export type Advanced = { now: Date; happened: number; events: { id: string; type: string }[] };

/**
 * Advances the clock and processes everything that is due in between, in order, each at its own time. Customers on the same Stripe test
 * clock share its time: naming one of them advances it for all.
 * Calls run one after the other: the second one starts at the time that the first one has reached.
 * @returns null if there is no such customer, or nothing that would renew or happen
 * @throws TooFarError if it would move by more than five years
 */
export function advanceClock(emulator: Emulator, change: ClockChange): Promise<Advanced | null> {
  const advanced = (advancing.get(emulator) ?? Promise.resolve()).then(() => advance(emulator, change));
  advancing.set(
    emulator,
    advanced.catch(() => {}),
  );
  return advanced;
}

/** The last call for each instance. */
const advancing = new WeakMap<Emulator, Promise<unknown>>();

async function advance(emulator: Emulator, change: ClockChange): Promise<Advanced | null> {
  const plan = await readAccount(emulator, async (store) => {
    const customers = change.customer ? await findCustomers(store, change.customer) : null;
    const [first] = customers ?? [];
    if (customers && !first) return null;
    const now = first ? await store.timeOf(first) : store.now;
    const target = await targetOf(store, change, now, customers);
    if (target === null) return null;
    if (!(target - now <= LONGEST_ADVANCE)) throw new TooFarError(); // also if months lead beyond the last valid date
    return { customers, seconds: Math.max(target - now, 0) };
  });
  if (!plan) return null;
  const { customers, seconds } = plan;
  const events: Advanced['events'] = [];
  let happened = 0;
  // Each clock in turn: customers who share an email address may have different ones.
  for (const customer of customers ? oneOfEachClock(customers) : [null]) {
    const run = await runFor(emulator, customer, seconds);
    events.push(...run.events);
    happened += run.happened;
  }
  emulator.controlled.announce();
  const now = await readAccount(emulator, async (store) => {
    const customer = customers?.[0] && (await store.get('customer', customers[0].id));
    return customer ? store.timeOf(customer) : store.now;
  });
  return { now: new Date(now * 1000), happened, events };
}

/** Those that an ID or an email address names, oldest first. */
export async function findCustomers(store: Store, idOrEmail: string): Promise<Customer[]> {
  const byId = await store.find('customer', idOrEmail);
  if (byId) return [byId];
  const rows = await store.sql<{ data: Customer }>(
    "SELECT data FROM object WHERE type = 'stripe.customer' AND lower(data->>'email') = $1 ORDER BY sequence",
    [idOrEmail.toLowerCase()],
  );
  return rows.map(({ data }) => data);
}

/** The time to go to, on the clock that shows `now`; null if there is nothing to go to. */
async function targetOf(
  store: Store,
  change: ClockChange,
  now: number,
  customers: Customer[] | null,
): Promise<number | null> {
  const { advance_seconds: seconds, advance_to: to, months } = change;
  if (seconds !== undefined) return now + seconds;
  if (months !== undefined) return stepMonths(now, months);
  if (change.to_next_renewal) return nextRenewal(store, now, customers);
  if (to === 'next') return nextChange(store, now, customers);
  return typeof to === 'string' ? Math.floor(Date.parse(to) / 1000) : (to ?? null);
}

/** When the next subscription of these customers renews, on the clock that shows `now`. */
async function nextRenewal(store: Store, now: number, customers: Customer[] | null): Promise<number | null> {
  const running = await store.all('subscription', { status: ['active', 'trialing', 'past_due'] });
  const remaining: number[] = [];
  for (const subscription of running) {
    const next = renewsOrEndsAt(subscription);
    if (subscription.cancel_at === next || (await overdueInvoice(store, subscription))) continue;
    const owner = await store.get('customer', subscription.customer);
    const isMeant = customers ? customers.some(({ id }) => id === owner.id) : !owner.test_clock;
    if (isMeant) remaining.push(next - (await store.timeOf(owner)));
  }
  return remaining.length === 0 ? null : now + Math.max(Math.min(...remaining), 0);
}

/** When anything next happens by itself, on the clock that shows `now`. */
async function nextChange(store: Store, now: number, customers: Customer[] | null): Promise<number | null> {
  const due = await nextDue(store, Number.MAX_SAFE_INTEGER, customers?.map(({ id }) => id) ?? null);
  if (!due) return null;
  return now + Math.max(due.until - (customers?.[0]?.test_clock ? now : store.now), 0);
}

const oneOfEachClock = (customers: Customer[]): Customer[] =>
  customers.filter(
    ({ test_clock: clock }, index) => !clock || customers.findIndex((other) => other.test_clock === clock) === index,
  );

/**
 * Advances everyone's clock, or one customer's, to each thing that is due, and processes it in the same transaction: an app that
 * responds to its webhook reads that time.
 */
async function runFor(emulator: Emulator, customer: Customer | null, seconds: number): Promise<Omit<Advanced, 'now'>> {
  const events: Advanced['events'] = [];
  for (let [happened, left] = [0, seconds]; ; happened += 1) {
    const done = await changeAccount(emulator, async (store) => {
      // The clock that nextDue compares with: everyone's, or the test clock's.
      const now = customer?.test_clock ? await store.timeOf(customer) : store.now;
      const due = await nextDue(store, now + left, await listMoved(store, customer));
      const step = due ? Math.max(due.until - now, 0) : left;
      await setForward(store, customer, step);
      if (!due) return null;
      await runDue(store, due);
      return { step, emitted: store.emitted.map(({ event: { id, type } }) => ({ id, type })) };
    });
    if (!done) return { happened, events };
    left -= done.step;
    events.push(...done.emitted);
  }
}

/** The customers whose clock moves; null for everyone's. All customers on a test clock have its time. */
async function listMoved(store: Store, customer: Customer | null): Promise<string[] | null> {
  if (!customer?.test_clock) return customer && [customer.id];
  return (await store.all('customer', { test_clock: customer.test_clock })).map(({ id }) => id);
}

async function setForward(store: Store, customer: Customer | null, seconds: number): Promise<void> {
  if (!customer?.test_clock) return moveClock(store.sql, seconds, customer?.id);
  const clock = await store.get('test_helpers.test_clock', customer.test_clock);
  await store.save({ ...clock, frozen_time: clock.frozen_time + seconds });
}
