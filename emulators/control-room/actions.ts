// What the control room's forms do. Each leads back to the page it was sent from, which says what happened.
import { randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import type { Emulator } from '../core/emulator';
import { FAULT_NAMES, type FaultName, listFaults, TRACKER_BLOCKED, titleOf } from '../core/faults';
import { describeError } from '../core/format';
import { readFields } from '../core/page';
import { clearAllFaults, setFaults } from '../core/set-faults';
import { advanceClock, decideDispute, refundPayment } from '../stripe/index';
import { blockerCookie } from './control';
import { DELIVERY_TITLE } from './deliveries';
import { rowOf } from './faults';
import type { Notice } from './room';
import type { ScenarioRuns } from './scenario-runs';
import { describeAdvance } from './simulate';
import { importState, resetCustomer, resetEverything } from './state';

const DAY_SECONDS = 86_400;
const KEPT_NOTICES = 50;

/** The results of the last actions, each for the page it leads to. Nothing else needs them, so memory is enough. */
export class Notices {
  private readonly kept = new Map<string, Notice>();

  add(notice: Notice): string {
    const id = randomUUID();
    this.kept.set(id, notice);
    const [oldest] = this.kept.keys();
    if (oldest && this.kept.size > KEPT_NOTICES) this.kept.delete(oldest);
    return id;
  }

  find = (id: string | undefined): Notice | null => this.kept.get(id ?? '') ?? null;
}

export function actionRoutes(emulator: Emulator, notices: Notices, runs: ScenarioRuns): Hono {
  const { deliveries } = emulator;
  const app = new Hono();
  const back = (c: Context, notice: Notice, place: Place = {}) => {
    const { row: _, ...top } = place; // where a problem is read
    return c.redirect(pageOf(c, notices.add(notice), notice.isProblem ? top : place), 303);
  };

  app.post('/clock', async (c) => {
    const { step, customer, stay } = await readFields(c);
    if (stay && !customer) {
      const text =
        'This visitor’s address belongs to an earlier one. Start again as a new visitor, with another address.';
      return back(c, { text, isProblem: true }); // without a customer, the clock is everyone's
    }
    const whose = customer ? { customer } : {};
    const change =
      step === 'month'
        ? { months: 1 }
        : step === 'renewal'
          ? { to_next_renewal: true as const }
          : { advance_seconds: DAY_SECONDS };
    const result = await advanceClock(emulator, { ...change, ...whose });
    if (result && stay && result.events.length === 0) {
      return back(c, {
        text: 'The time has passed, and nothing was due: no subscription was renewed.',
        isProblem: true,
      });
    }
    if (result) return stay ? c.body(null, 204) : back(c, describeAdvance(result));
    const text = step === 'renewal' ? 'No subscription to renew.' : 'Stripe has no such customer yet.';
    return back(c, { text, isProblem: true });
  });

  app.post('/faults', async (c) => {
    const { name = '', value = '', turn, customer = '' } = await readFields(c);
    if (!isFault(name)) return back(c, { text: `There is no fault ${name}.`, isProblem: true });
    const isOn = turn === 'on';
    const title = titleOf(name, value);
    const before = await emulator.database.query(listFaults);
    const replaced = before.find((one) => one.name === name && one.subject === customer.toLowerCase());
    const replacedTitle = isOn && replaced && titleOf(name, replaced.value);
    await setFaults(emulator, { [name]: isOn ? value : null }, customer || undefined);
    const text =
      describeSwitch(title, isOn, customer || 'all customers') +
      (replacedTitle && replacedTitle !== title ? ` ${describeSwitch(replacedTitle, false)}` : '');
    return back(c, { text }, { row: rowOf(name, value) });
  });
  app.post('/faults/reset', async (c) => {
    await clearAllFaults(emulator);
    c.header('set-cookie', blockerCookie(false));
    return back(c, { text: 'All faults are off.' });
  });
  app.post('/tracker', async (c) => {
    const isOn = (await readFields(c)).turn === 'on';
    c.header('set-cookie', blockerCookie(isOn));
    emulator.controlled.announce();
    const text = describeSwitch(TRACKER_BLOCKED, isOn, 'this browser');
    return back(c, { text }, { row: rowOf('tracker_blocked', 'true') });
  });

  app.post('/scenarios', async (c) => {
    const { name = '' } = await readFields(c);
    if (!runs.start(name)) return back(c, { text: `There is no scenario ${name}.`, isProblem: true });
    return c.redirect(`/scenarios/${name}`, 303);
  });

  app.post('/redeliver', async (c) => {
    const isKnown = await deliveries.redeliver((await readFields(c)).delivery ?? '');
    const notice = isKnown
      ? { text: 'Queued to be sent again.' }
      : { text: 'There is no such delivery.', isProblem: true };
    return back(c, notice, { row: DELIVERY_TITLE });
  });
  app.post('/refund', async (c) => {
    const { charge = '' } = await readFields(c);
    return back(c, await attempt(refundPayment(emulator, charge), `${charge} was refunded.`), { row: charge });
  });
  app.post('/dispute', async (c) => {
    const { charge = '', dispute = '', outcome } = await readFields(c);
    const status = outcome === 'won' ? 'won' : 'lost';
    return back(c, await attempt(decideDispute(emulator, dispute, status), `${dispute} is ${status}.`), {
      row: charge,
    });
  });

  app.post('/reset', async (c) => {
    const { customer } = await readFields(c);
    if (customer) await resetCustomer(emulator, customer);
    else await resetEverything(emulator);
    return back(
      c,
      { text: customer ? `Everything about ${customer} was deleted.` : 'Everything was reset.' },
      { page: '/' },
    );
  });
  app.post('/import', async (c) => {
    try {
      const { file } = await c.req.parseBody();
      if (!(file instanceof File) || file.size === 0) throw new Error('Choose a file that was exported here.');
      await importState(emulator, file);
      return back(c, { text: 'The state was imported.' }, { page: '/' });
    } catch (error) {
      return back(c, { text: `Nothing was imported: ${describeError(error)}`, isProblem: true });
    }
  });
  return app;
}

/** What to say of work in the account: that it was done, or why Stripe refuses it. */
const attempt = (work: Promise<unknown>, done: string): Promise<Notice> =>
  work.then(
    () => ({ text: done }),
    (error) => ({ text: describeError(error), isProblem: true }),
  );

const isFault = (name: string): name is FaultName => FAULT_NAMES.some((known) => known === name);

/** "Service outage is on for all customers.", "Duplicate webhooks are off for ada@example.com." */
const describeSwitch = (title: string, isOn: boolean, customer?: string): string =>
  `${title} ${title.endsWith('s') ? 'are' : 'is'} ${isOn ? 'on' : 'off'}${customer ? ` for ${customer}` : ''}.`;

/** Where an action leads: by default to the page that its form was on, and to the top of it. */
type Place = { page?: string; row?: string };

/** The page that the form was on (browsers send it within one origin), else the first one. */
function pageOf(c: Context, notice: string, { page, row }: Place): string {
  const referer = c.req.header('referer') ?? '';
  const { origin } = new URL(c.req.url);
  const from = new URL(page ?? (URL.canParse(referer) ? referer : '/'), origin);
  const target = from.host === new URL(origin).host || from.host === c.req.header('host') ? from : new URL('/', origin);
  target.searchParams.set('notice', notice);
  // A path that begins with two slashes would name another host.
  return target.pathname.replace(/^\/+/, '/') + target.search + (row ? `#${row}` : '');
}
