// Keeps a page of the control room current: when the server reports a change, the page is fetched again and
// what differs is replaced. New rows are marked and announced.
import { countUp, whileVisible } from '../browser-support';

const SETTLE_MS = 150;
const ANNOUNCE_EVERY_MS = 10_000;
const RESPONSE_LIMIT_MS = 15_000;
const RETRY_MS = 2_000;
const toggle = document.querySelector<HTMLButtonElement>('#live-toggle');
const announcer = document.querySelector('#live-status');

let isPaused = false;
let isOffline = false;
let isStale = false;
/** One request at a time: with two, the older response could arrive last. */
let isRefreshing = false;
/** Whether something was not updated because it has the focus or is being pressed. */
let hasSkipped = false;
/** Whether a form that advances the clock was sent: a second click would advance it again. */
let isAdvancing = false;
/** Whether it has been advanced: the next update replaces the button that was pressed. */
let isAdvanced = false;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Changes come in bursts, such as the events of one payment. */
function schedule(): void {
  isStale = true;
  if (isPaused || document.hidden || timer || isRefreshing) return;
  timer = setTimeout(async () => {
    timer = undefined;
    isRefreshing = true;
    await refresh().catch(() => void setTimeout(schedule, RETRY_MS));
    isRefreshing = false;
    if (isStale) schedule();
  }, SETTLE_MS);
}

async function refresh(): Promise<void> {
  isStale = false;
  const address = location.href;
  const signal = AbortSignal.timeout(RESPONSE_LIMIT_MS);
  const response = await fetch(address, { headers: { accept: 'text/html' }, signal });
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  if (isPaused || location.href !== address) {
    isStale = true; // paused, or another message has been opened
    return;
  }
  const arrived = new Map<HTMLElement, number>();
  for (const region of document.querySelectorAll<HTMLElement>('[data-live]')) {
    const fresh = page.querySelector<HTMLElement>(`[data-live="${region.dataset.live}"]`);
    if (fresh) arrived.set(region, exchange(region, fresh));
  }
  announce(arrived);
  countDown();
  showAdvancing(isAdvancing && !isAdvanced);
}

/** @returns how many rows have arrived */
function exchange(region: HTMLElement, fresh: HTMLElement): number {
  const [rows, freshRows] = [keyed(region), keyed(fresh)];
  if (rows.size === 0 || freshRows.size === 0) {
    if (region.innerHTML !== fresh.innerHTML) replace(region, fresh);
    return freshRows.size;
  }
  const parent = rows.values().next().value?.parentElement;
  if (!parent) return 0;
  let arrived = 0;
  const result = [...freshRows].map(([key, row]) => {
    const known = rows.get(key);
    // The row that an action led to keeps the focus, and shows what the action did.
    if (known && known === document.activeElement && !isSame(known, row)) known.replaceChildren(...row.childNodes);
    if (known && isSame(known, row)) return known;
    if (known && holdsFocus(known)) {
      hasSkipped = true;
      return known;
    }
    if (!known) {
      arrived += 1;
      row.classList.add('arrived');
    }
    return row;
  });
  // Pushed out of the list while it has the focus: it stays until the focus moves on.
  const last = [...rows].find(([key, row]) => !freshRows.has(key) && holdsFocus(row))?.[1];
  if (last) {
    result.push(last);
    hasSkipped = true;
  }
  if (result.some((row, index) => parent.children[index] !== row) || parent.children.length !== result.length) {
    place(parent, result);
  }
  return arrived;
}

/**
 * A region with focus is not updated, unless its focus may move to the current item. Neither is one with a button that
 * is being pressed: it would not be clicked if it was replaced before its release.
 */
function replace(region: HTMLElement, fresh: HTMLElement): void {
  const hadFocus = holdsFocus(region);
  if ((hadFocus && !('movesFocus' in region.dataset)) || region.querySelector(':active')) {
    hasSkipped = true;
    return;
  }
  region.replaceChildren(...fresh.childNodes);
  if (hadFocus) region.querySelector<HTMLElement>('[aria-current] :is(a, button)')?.focus();
}

/** Rows that stay are not moved, to keep the focus and the text selection. */
function place(parent: Element, rows: Element[]): void {
  const kept = new Set(rows);
  for (const child of [...parent.children]) if (!kept.has(child)) child.remove();
  rows.forEach((row, index) => {
    if (parent.children[index] !== row) parent.insertBefore(row, parent.children[index] ?? null);
  });
}

const keyed = (region: Element): Map<string, HTMLElement> =>
  new Map([...region.querySelectorAll<HTMLElement>('[data-key]')].map((row) => [row.dataset.key ?? '', row]));

const holdsFocus = (element: Element): boolean => element.contains(document.activeElement);

const isSame = (known: HTMLElement, row: HTMLElement): boolean => asSent(known) === asSent(row);

/** A row without what scripts change in it: the mark of a new row, the highlight of its IDs and the countdown. */
function asSent(row: HTMLElement): string {
  const copy = row.cloneNode(true) as HTMLElement;
  for (const marked of [copy, ...copy.querySelectorAll('.lit')]) {
    marked.classList.remove('arrived', 'lit');
    if (marked.className === '') marked.removeAttribute('class');
  }
  for (const time of copy.querySelectorAll('[data-countdown]')) time.textContent = '';
  return copy.outerHTML;
}

/** A screen reader reads each change of the announcer, and rows may keep arriving. */
const announce = countUp<HTMLElement>(ANNOUNCE_EVERY_MS, (arrived) => {
  const announcements = [...arrived].flatMap(([{ dataset }, count]) => {
    const { noun, plural = `${noun}s` } = dataset;
    return noun ? [`${count} new ${count === 1 ? noun : plural}`] : [];
  });
  if (announcer && announcements.length > 0) announcer.textContent = announcements.join(', ');
});

function countDown(): void {
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-countdown]')) {
    const seconds = Math.ceil((Date.parse(time.dateTime) - Date.now()) / 1000);
    time.textContent = seconds > 0 ? `in ${seconds} s` : 'now';
  }
}

if (toggle) {
  toggle.hidden = false;
  toggle.addEventListener('click', () => {
    isPaused = !isPaused;
    showState();
    if (isStale) schedule();
  });
}

/** Shows on the button whether the page is updated, and what pressing it does. */
function showState(): void {
  const [state, action] = toggle?.querySelectorAll('span') ?? [];
  if (state) state.textContent = isPaused ? 'Paused' : isOffline ? 'Offline' : 'Live';
  if (action) action.textContent = isPaused ? '(resume updates)' : '(pause updates)';
  toggle?.querySelector('path')?.setAttribute('d', isPaused ? 'M2 1 11 6 2 11z' : 'M2 1h3v10H2zM7 1h3v10H7z');
}

function showAdvancing(advancing: boolean): void {
  isAdvancing = advancing;
  if (!advancing) isAdvanced = false;
  for (const status of document.querySelectorAll('[data-advance-status]')) {
    status.textContent = advancing ? 'Processing…' : '';
  }
}

const CLOCK = 'form[action="/actions/clock"]';

// When the second click of a double click comes, the first may have been processed, and its button be back.
document.addEventListener('click', (event) => {
  if (event.detail > 1 && (event.target as Element).closest(CLOCK)) event.preventDefault();
});
document.addEventListener('submit', (event) => {
  if (!(event.target as Element).matches(CLOCK)) return;
  if (isAdvancing) event.preventDefault();
  showAdvancing(true);
});
window.addEventListener('pageshow', () => showAdvancing(false)); // the page may come back from the history

function connect(): EventSource {
  const source = new EventSource(`/control/stream${toggle?.dataset.stream ?? ''}`);
  for (const kind of ['open', 'error']) {
    source.addEventListener(kind, () => {
      const wasOffline = isOffline;
      isOffline = kind === 'error'; // the browser connects again
      showState();
      if (isOffline !== wasOffline) announcer?.replaceChildren(isOffline ? 'Not updated.' : '');
    });
  }
  // The tour stays as it is: its clock has been advanced when this event comes, or when the connection was lost meanwhile.
  source.addEventListener('control', () => {
    isAdvanced = isAdvancing;
    if (isPaused) showAdvancing(false);
  });
  source.addEventListener('error', () => showAdvancing(false));
  for (const kind of ['stale', 'delivery', 'message', 'scenario', 'control']) source.addEventListener(kind, schedule);
  return source;
}

for (const release of ['focusout', 'pointerup', 'pointercancel', 'keyup']) {
  document.addEventListener(release, () => {
    if (!hasSkipped) return;
    hasSkipped = false;
    schedule();
  });
}
whileVisible(document, connect, () => {
  showAdvancing(false);
  schedule();
});
setInterval(countDown, 1_000);
countDown();
