import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Command, histories } from './command.ts';
import { MemoryService } from './memory-service.ts';
import { ReferenceModel } from './reference-model.ts';

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

test('a settled attribution never changes', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const service = new MemoryService();
      const settled = new Map<string, string>();
      for (const command of history) {
        service.run(command);
        for (const [key, lead] of service.leads) {
          const now = JSON.stringify(lead);
          if ((settled.get(key) ?? now) !== now) throw new Error(`${key} changed at ${JSON.stringify(command)}`);
          settled.set(key, now);
        }
      }
    }),
    { numRuns: 2_000 },
  );
}, 60_000);

test('a sale never settles a lead', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const service = new MemoryService();
      for (const command of history) {
        const { leads, waiting } = service.summary();
        service.run(command);
        if (command.do !== 'sale') continue;
        const after = service.summary();
        if (String(leads) !== String(after.leads) || String(waiting) !== String(after.waiting)) {
          throw new Error(`${JSON.stringify(command)} changed a lead`);
        }
      }
    }),
    { numRuns: 1_000 },
  );
}, 60_000);

test('nothing is paid twice: each invoice is one sale, of the amount that was recorded first', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const service = new MemoryService();
      const paid = new Map<string, number>();
      for (const command of history) {
        service.run(command);
        for (const [key, sale] of service.sales) {
          if ((paid.get(key) ?? sale.amount) !== sale.amount) throw new Error(`${key} was paid again`);
          if (sale.refunded > sale.amount) throw new Error(`${key} was refunded beyond its amount`);
          paid.set(key, sale.amount);
        }
      }
    }),
    { numRuns: 1_000 },
  );
}, 60_000);

test('test never leaks into live: without its test calls, a history leaves the same live records', () => {
  const isTest = (command: Command) => 'test' in command && command.test;
  const live = (records: string[]) => records.filter((record) => record.includes('/live/'));
  fc.assert(
    fc.property(histories, (history) => {
      const [all, without] = [new MemoryService(), new MemoryService()];
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
