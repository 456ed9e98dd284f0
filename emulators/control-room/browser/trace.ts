// The trace in the browser: a message opens beside the list, all places with the same ID light up together, sources open
// in a drawer, and commands can be copied. Without this script each of them is a page.
import { latestOf } from '../browser-support';

const panel = document.querySelector<HTMLElement>('#panel');
const layout = document.querySelector<HTMLElement>('.trace');

async function fetchPage(address: string): Promise<Document | null> {
  const response = await fetch(address, { headers: { accept: 'text/html' } });
  return response.ok ? new DOMParser().parseFromString(await response.text(), 'text/html') : null;
}

const [loadPanel, loadSource] = [latestOf(fetchPage), latestOf(fetchPage)];
/** The rows of the list as they are now: live updates replace them. */
const rows = () => [...document.querySelectorAll<HTMLAnchorElement>('.lanes li > a')];
const isRowOf = (address: string) => {
  const { pathname } = new URL(address, location.href);
  return (row: HTMLAnchorElement): boolean => new URL(row.href).pathname === pathname;
};

/** The address of the page that is shown, without its fragment. */
const pageOf = ({ pathname, search }: URL | Location): string => pathname + search;
let shown = pageOf(location);

/**
 * Shows the panel of the page at `address`, and moves focus to it; back to the row if the panel is empty.
 * @param options `keepsFocus` leaves the focus in the list, unless the panel takes its place
 */
async function openPanel(address: string, { keepsFocus = false } = {}): Promise<void> {
  const isLastRow = isRowOf(shown);
  shown = pageOf(new URL(address, location.href));
  mark(address);
  const page = await loadPanel(address);
  if (page === undefined) return;
  const fresh = page?.querySelector('#panel');
  if (!page || !fresh || !panel || !layout) {
    location.href = address;
    return;
  }
  panel.replaceChildren(...fresh.childNodes);
  layout.classList.toggle('with-panel', panel.childElementCount > 0);
  reveal(panel);
  panel.scrollTop = 0;
  document.title = page.title;
  if (keepsFocus && rows()[0]?.checkVisibility()) return;
  // The row may be filtered out, or older than the list.
  const target = panel.querySelector<HTMLElement>('#message-title') ?? rows().find(isLastRow);
  (target ?? document.querySelector<HTMLElement>('#main'))?.focus();
}

/** The row of the open message. */
function mark(address: string): void {
  const isOpenRow = isRowOf(address);
  for (const link of rows()) {
    const isOpen = isOpenRow(link);
    if (isOpen) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
    link.parentElement?.classList.toggle('selected', isOpen);
  }
}

function go(address: string, options?: { keepsFocus: boolean }): void {
  history.pushState(null, '', address);
  void openPanel(address, options);
}

/** From the row with the focus to the next or previous message, as in a mail program. */
function move(row: HTMLAnchorElement, step: 1 | -1): void {
  const links = rows();
  const next = links[links.indexOf(row) + step];
  if (!next) return;
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
  if (panel) go(next.href, { keepsFocus: true });
}

/** Buttons that need this script. */
function reveal(place: ParentNode): void {
  for (const button of place.querySelectorAll<HTMLElement>('[data-copy][hidden], [data-copy-text][hidden]')) {
    button.hidden = false;
  }
}

async function copy(button: HTMLElement): Promise<void> {
  const { copy: id, copyText, label = button.textContent ?? '' } = button.dataset;
  button.dataset.label = label; // a second click finds "Copied" on the button
  const say = (result: string) => {
    button.textContent = result || label;
    const status = document.querySelector('#live-status');
    if (status) status.textContent = result;
  };
  try {
    // There is no clipboard on a page without https.
    await navigator.clipboard.writeText(copyText ?? document.querySelector(`#${id} pre`)?.textContent ?? '');
    say('Copied');
  } catch {
    say('Select and copy');
  }
  setTimeout(say, 1_500, '');
}

let litId: string | undefined;

/** Marks every link and every row that carries an ID. */
function light(id: string | undefined): void {
  litId = id;
  for (const lit of document.querySelectorAll('.lit')) lit.classList.remove('lit');
  if (!id) return;
  for (const place of document.querySelectorAll<HTMLElement>('[data-id], [data-ids]')) {
    const { id: own, ids = '' } = place.dataset;
    if (own === id || ids.split('\n').includes(id)) place.classList.add('lit');
  }
}

const idOf = (target: EventTarget | null): string | undefined =>
  target instanceof Element ? target.closest<HTMLElement>('[data-id]')?.dataset.id : undefined;

async function openDrawer(link: HTMLAnchorElement): Promise<void> {
  const page = await loadSource(link.href);
  if (page === undefined) return;
  const source = page?.querySelector('#source');
  if (!source) {
    location.href = link.href;
    return;
  }
  const drawer = document.createElement('dialog');
  drawer.className = 'drawer-right';
  drawer.setAttribute('aria-label', link.textContent ?? 'Source');
  const close = document.createElement('button');
  close.className = 'button secondary small';
  close.textContent = 'Close';
  close.addEventListener('click', () => drawer.close());
  drawer.append(close, source);
  drawer.addEventListener('close', () => {
    drawer.remove();
    link.focus();
  });
  // Only a press and release outside it closes it: not on its padding, nor at the end of a text selection.
  const isBeside = ({ clientX }: MouseEvent) => clientX < drawer.getBoundingClientRect().left;
  let isPressedBeside = false;
  drawer.addEventListener('pointerdown', (event) => (isPressedBeside = isBeside(event)));
  drawer.addEventListener('click', (event) => isPressedBeside && isBeside(event) && drawer.close());
  document.body.append(drawer);
  drawer.showModal();
  drawer.querySelector('#line')?.scrollIntoView({ block: 'center' });
}

document.addEventListener('click', (event) => {
  if (event.metaKey || event.ctrlKey || !(event.target instanceof Element)) return;
  const button = event.target.closest<HTMLElement>('[data-copy], [data-copy-text]');
  if (button) void copy(button);
  const link = event.target.closest<HTMLAnchorElement>('a');
  if (!link) return;
  if (link.hasAttribute('data-drawer')) {
    event.preventDefault();
    void openDrawer(link);
  } else if (panel && (link.matches('.trace .lanes li > a') || link.id === 'close-panel')) {
    event.preventDefault();
    go(link.href);
  }
});

document.addEventListener('keydown', (event) => {
  const isTyping =
    event.target instanceof Element && event.target.closest('input, select, textarea, [contenteditable]');
  if (isTyping || event.metaKey || event.ctrlKey || event.altKey || document.querySelector('dialog[open]')) return;
  // WCAG 2.1.4: a single-key shortcut acts only while its component has the focus.
  const row = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('.lanes li > a') : null;
  if (row && event.key === 'j') move(row, 1);
  else if (row && event.key === 'k') move(row, -1);
  else if (event.key === 'Escape') document.querySelector<HTMLAnchorElement>('#close-panel')?.click();
});

// Not `mouseover`, which also fires if the page moves under a resting pointer, such as when a banner appears.
document.addEventListener('mousemove', ({ target }) => {
  const id = idOf(target);
  if (id !== litId) light(id);
});
document.addEventListener('focusin', ({ target }) => light(idOf(target)));
// New rows may contain it, too.
const arrivals = new MutationObserver(() => litId && light(litId));
for (const region of document.querySelectorAll('[data-live]'))
  arrivals.observe(region, { childList: true, subtree: true });
// Not for a link within this page, such as "Skip to content".
window.addEventListener('popstate', () => panel && pageOf(location) !== shown && void openPanel(location.href));
reveal(document);
document.querySelector('.lanes li.selected')?.scrollIntoView({ block: 'nearest' });
