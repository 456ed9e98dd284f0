import { expect, onTestFinished, test, vi } from 'vitest';
import { countUp, latestOf, whileVisible } from './browser-support';

/** A page, and what happens to its connection. */
function openPage({ hidden }: { hidden: boolean }) {
  const page = Object.assign(new EventTarget(), { hidden });
  const log: string[] = [];
  const open = () => {
    log.push('open');
    return { close: () => log.push('close') };
  };
  whileVisible(page as unknown as Document, open, () => log.push('read'));
  const show = (isVisible: boolean) => {
    page.hidden = !isVisible;
    page.dispatchEvent(new Event('visibilitychange'));
  };
  return { log, show };
}

test('a page is connected while it is visible, and reads what it has missed when it is visible again', () => {
  const { log, show } = openPage({ hidden: false });
  expect(log).toEqual(['open']);
  show(false);
  expect(log).toEqual(['open', 'close']);
  show(true);
  show(true);
  expect(log).toEqual(['open', 'close', 'open', 'read']);
});

test('a page that opens in the background connects when it is visible', () => {
  const { log, show } = openPage({ hidden: true });
  expect(log).toEqual([]);
  show(true);
  expect(log).toEqual(['open', 'read']);
});

test('of requests that overlap the last one alone has a result, in whichever order they are done', async () => {
  const started = new Map<string, () => void>();
  const load = latestOf((name: string) => new Promise<string>((resolve) => started.set(name, () => resolve(name))));
  const results = Promise.all(['a', 'b', 'c'].map(load));
  for (const name of ['b', 'c', 'a']) started.get(name)?.();
  expect(await results).toEqual([undefined, undefined, 'c']);
  const next = load('d');
  started.get('d')?.();
  expect(await next).toBe('d');
});

test('what is counted is told at once, and while more comes its sum every 10 s', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const told: Array<Record<string, number>> = [];
  const add = countUp<string>(10_000, (counts) => told.push(Object.fromEntries(counts)));
  add(new Map([['message', 0]]));
  expect(told).toEqual([]);
  add(new Map([['message', 1]]));
  expect(told).toEqual([{ message: 1 }]);
  for (const delivery of [0, 1, 0]) {
    vi.advanceTimersByTime(3_000);
    add(new Map(Object.entries({ message: 1, delivery })));
  }
  expect(told).toHaveLength(1);
  vi.advanceTimersByTime(1_000);
  expect(told.slice(1)).toEqual([{ message: 3, delivery: 1 }]);
  vi.advanceTimersByTime(60_000);
  add(new Map([['message', 2]]));
  expect(told.slice(2)).toEqual([{ message: 2 }]);
});
