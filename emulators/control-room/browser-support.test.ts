import { expect, test } from 'vitest';
import { whileVisible } from './browser-support';

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
