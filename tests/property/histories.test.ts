import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Command, histories } from './command';
import { MemoryService } from './memory-service';
import { ReferenceModel } from './reference-model';

const RUNS = 10_000;

test(`in ${RUNS} random histories the service decides as §3 says`, () => {
  fc.assert(
    fc.property(histories, (history) => {
      const service = new MemoryService();
      const model = new ReferenceModel();
      for (const command of history) {
        if (service.run(command) !== model.run(command)) throw new Error(`diverged at ${JSON.stringify(command)}`);
      }
      const { totals: _, ...expected } = model.summary();
      expect(service.summary()).toEqual(expected);
    }),
    { numRuns: RUNS },
  );
}, 60_000);

/** What 40 histories have to contain on average: about half of what they did when this was written. */
const USUAL: Record<string, number> = {
  'payment settles a waiting lead': 3.5,
  'server settles a waiting lead': 4.5,
  'browser settles a waiting lead': 0.1,
  'browser: provisional': 60,
  'browser: 400 lead_already_settled': 40,
  'browser: 400 unknown_click': 18,
  'server: 400 unknown_click': 8,
  'sale: sale': 24,
  'sale: 409 duplicate_transaction': 11,
  'payment: sale': 40,
  'payment: known_sale': 44,
  'payment: not_attributed no_attribution': 2,
  'payment: not_attributed unknown_click': 12,
  'payment: not_attributed unknown_customer': 7,
};

test('the histories reach every row of §3, also those that need a certain past', () => {
  const RUNS = 1_000;
  const outcomes: string[] = [];
  fc.assert(
    fc.property(histories, (history) => {
      const model = new ReferenceModel();
      let waiting = 0;
      for (const command of history) {
        outcomes.push(`${command.do}: ${model.run(command)}`);
        const left = model.summary().waiting.length;
        if (left < waiting) outcomes.push(`${command.do} settles a waiting lead`);
        waiting = left;
      }
    }),
    { numRuns: RUNS, seed: 1 }, // it is the generator that is tested: always the same histories, so no run is unlucky
  );
  const found = Object.keys(USUAL).map((name) => [name, outcomes.filter((one) => one === name).length * (40 / RUNS)]);
  expect(found.filter(([name, count]) => Number(count) < (USUAL[String(name)] ?? 0))).toEqual([]);
}, 60_000);

// What §3 promises, of the model: the other tests hold the service against it.

/** The model's records by key, such as `0/live/3`, after each command of a history. */
function follow(history: Command[], look: (state: Records, command: Command, before: Records) => void) {
  const model = new ReferenceModel();
  let before = recordsOf(model);
  for (const command of history) {
    model.run(command);
    const state = recordsOf(model);
    look(state, command, before);
    before = state;
  }
}

type Records = { leads: Map<string, string>; waiting: number[]; sales: Map<string, string> };

const recordsOf = (model: ReferenceModel): Records => {
  const { leads, waiting, sales } = model.summary();
  const byKey = (records: string[]) =>
    new Map(records.map((record) => [record.split(' ')[0] ?? '', record.slice(record.indexOf(' ') + 1)]));
  return { leads: byKey(leads), waiting, sales: byKey(sales) };
};

const check = (look: Parameters<typeof follow>[1]) =>
  fc.assert(
    fc.property(histories, (history) => follow(history, look)),
    { numRuns: 300 },
  );

test('a settled attribution never changes', () => {
  check(({ leads }, _, before) => {
    for (const [key, lead] of before.leads) expect(leads.get(key)).toBe(lead);
  });
}, 60_000);

test('a sale never settles a lead', () => {
  check(({ leads, waiting }, command, before) => {
    if (command.do === 'sale') expect([leads, waiting]).toEqual([before.leads, before.waiting]);
  });
}, 60_000);

test('nothing is paid twice: each invoice is one sale, of the amount that was recorded first', () => {
  check(({ sales }, _, before) => {
    for (const [key, sale] of sales) {
      const [customer, partner, amount, refunded] = sale.split(' ');
      expect(Number(refunded)).toBeLessThanOrEqual(Number(amount));
      const first = before.sales.get(key)?.split(' ').slice(0, 3);
      if (first) expect([customer, partner, amount]).toEqual(first);
    }
  });
}, 60_000);

test('test never leaks into live: without its test calls, a history leaves the same live records', () => {
  const isTest = (command: Command) => 'test' in command && command.test;
  const live = (records: string[]) => records.filter((record) => record.includes('/live/'));
  fc.assert(
    fc.property(histories, (history) => {
      const [all, without] = [new ReferenceModel(), new ReferenceModel()];
      for (const command of history) {
        all.run(command);
        if (!isTest(command)) without.run(command);
      }
      const [a, b] = [all.summary(), without.summary()];
      expect({ ...a, leads: live(a.leads), sales: live(a.sales) }).toEqual(b);
    }),
    { numRuns: 2_000 },
  );
}, 60_000);
