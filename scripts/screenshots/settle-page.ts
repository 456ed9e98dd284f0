import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import { formatRelativeTime } from '../../components/ui/format-relative-time';

/** What the clock shows on every picture. */
const SHOWN_NOW = Date.UTC(2026, 10, 21, 12, 0);
const STEP = 5 * 60_000;

const ID = /\b(clk|led|sal|evt|par|user|cus|sub|ch|in|pi|dlv|msg)_[A-Za-z0-9]{8,}/g;
const EXACT_TIME = /\b\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d:\d\d UTC/g;
const ISO_TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const DURATION = /\bin \d+ ms\b/g;

const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });

/** A moment of this run on the clock of the pictures, to the next five minutes: what a run takes does not show. */
export const shownTime = (moment: number, now: number): number => SHOWN_NOW - Math.round((now - moment) / STEP) * STEP;

/** The same text of every run: IDs by the order of their appearance, times on one clock. */
export function settleText(text: string, now: number, ids: Map<string, string>): string {
  return text
    .replace(ID, (id) => {
      const known = ids.get(id) ?? fixedId(id, ids.size);
      ids.set(id, known);
      return known;
    })
    .replace(EXACT_TIME, (time) => {
      const moment = Date.parse(time.replace(' UTC', 'Z').replace(',', ''));
      return `${exact.format(shownTime(moment, now))} UTC`;
    })
    .replace(ISO_TIME, (time) => new Date(shownTime(Date.parse(time), now)).toISOString())
    .replace(DURATION, 'in 12 ms');
}

function fixedId(id: string, index: number): string {
  const [prefix = '', random = ''] = id.split('_');
  const digest = createHash('sha256').update(`${prefix} ${index}`).digest('base64').replace(/\W/g, '');
  return `${prefix}_${digest.repeat(2).slice(0, random.length)}`;
}

/** Writes fixed IDs and times over those of this run, in the page that is open. */
export async function settlePage(page: Page, now: number): Promise<void> {
  const ids = new Map<string, string>();
  const times = await page
    .locator('time')
    .evaluateAll((elements) =>
      elements.map((element) => ({ at: element.getAttribute('datetime') ?? '', text: element.textContent ?? '' })),
    );
  const relatives = times.map(({ at, text }) =>
    /ago$|^in |^just now$/.test(text) ? formatRelativeTime(shownTime(Date.parse(at), now), SHOWN_NOW) : null,
  );
  await page.locator('time').evaluateAll((elements, texts) => {
    for (const [index, element] of elements.entries()) element.textContent = texts[index] ?? element.textContent;
  }, relatives);
  const texts = await page.evaluate(readTexts);
  await page.evaluate(
    writeTexts,
    texts.map((text) => settleText(text, now, ids)),
  );
}

function readTexts(): string[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts: string[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode.textContent ?? '');
  return texts;
}

function writeTexts(texts: string[]): void {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (const text of texts) if (walker.nextNode()) walker.currentNode.textContent = text;
}
