// The slim bar at the foot of the app's pages in a local run. It lives in a shadow root, so that neither the app's styles
// nor its own affect the other.
declare const emulatorsUrl: string;
declare const hasTour: boolean;
declare const hasNotices: boolean;
declare const emulatorsVisitor: string;

type Fault = { title: string };
type Notice = { id: number; text: string };

/** Waits between reads of the notice. They grow, and reading stops at the longest. */
const [FIRST_WAIT_MS, LONGEST_WAIT_MS] = [1_000, 60_000];

const STYLE = `
  :host { all: initial; position: sticky; bottom: 0; z-index: 2147483000; display: block; }
  div { display: flex; flex-wrap: wrap; gap: 0 16px; align-items: center; box-sizing: border-box; padding: 0 16px;
    font: 13px/1.4 system-ui, sans-serif; color: #f4f4f5; background: #18181b; border-top: 2px dashed #f59e0b; }
  a, button { font: inherit; color: inherit; background: none; border: 0; padding: 0; min-height: 32px; cursor: pointer;
    display: inline-flex; align-items: center; text-decoration: underline; text-underline-offset: 3px; }
  a:focus-visible, button:focus-visible { outline: 2px solid #f59e0b; outline-offset: 2px; }
  [hidden] { display: none; }
  form { margin: 0; }
  .last { margin-left: auto; }
  strong { color: #fbbf24; }
  [role=status] { font-weight: 600; }
  [role=status]:empty { position: absolute; } /* takes no gap, and is there before its text */
  @media (max-width: 480px) { .label { display: none; } }
  @media (max-height: 400px) { :host { position: static; } }
  @media print { :host { display: none; } }
`;

function createBar(faults: Fault[]): HTMLElement {
  const host = document.createElement('aside');
  host.id = 'emulators-bar';
  host.setAttribute('aria-label', 'Emulators');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  root.adoptedStyleSheets = [sheet];
  const bar = document.createElement('div');
  if (document.querySelector('nextjs-portal')) bar.style.paddingLeft = '64px'; // Next's development badge lies in this corner
  const label = document.createElement('span');
  label.className = 'label';
  label.textContent = 'Local run';
  bar.append(label, link('Control room', '/'));
  bar.append(link('Trace of this visitor', `/?visitor=${emulatorsVisitor}`), linkToId());
  if (hasTour) bar.append(link('Tour', '/tour'));
  if (faults.length > 0) {
    const warning = document.createElement('strong');
    warning.textContent = `Faults on: ${faults.map(({ title }) => title).join(', ')}`;
    bar.append(warning, button('Turn off', '/__emulators/faults/reset'));
  }
  if (hasNotices) bar.append(newestNotice());
  const newVisitor = button('New visitor', '/__emulators/new-visitor');
  newVisitor.className = 'last';
  bar.append(newVisitor);
  root.append(bar);
  return host;
}

const ID = /^[a-z]+_[A-Za-z0-9_-]{8,}$/;

/** If this page is about one ID: a link to everything that carries it. The address may change without a new page. */
function linkToId(): HTMLAnchorElement {
  const anchor = link('', '/');
  const update = () => {
    const id = location.pathname.split('/').find((segment) => ID.test(segment));
    anchor.hidden = !id;
    anchor.href = `${emulatorsUrl}/ids/${id}`;
    anchor.textContent = id ? `Follow ${id.slice(0, 12)}…` : '';
  };
  update();
  globalThis.navigation?.addEventListener('currententrychange', update);
  return anchor;
}

/**
 * What was last recorded of this visitor, such as a lead: a link to its message. Webhooks cause it, so it may arrive after the page has
 * loaded. It is read for about two minutes after a page load, a navigation or a return to the tab. A stream would keep the page's
 * network busy.
 */
function newestNotice(): HTMLElement {
  const status = document.createElement('span');
  status.setAttribute('role', 'status');
  const anchor = link('', '/');
  let shown: number | undefined;
  const show = (notice: Notice | null) => {
    if (notice?.id === shown) return;
    shown = notice?.id;
    if (!notice) return anchor.remove();
    anchor.href = `${emulatorsUrl}/trace/${notice.id}?visitor=${emulatorsVisitor}`;
    anchor.textContent = notice.text;
    if (!anchor.isConnected) status.append(anchor); // else it would lose the focus
  };
  let newest = 0;
  const follow = async () => {
    newest += 1;
    const own = newest;
    for (let wait = FIRST_WAIT_MS; wait < LONGEST_WAIT_MS; wait *= 1.5) {
      if (own !== newest || document.hidden) return;
      const read = await ask<Notice | null>('notice');
      if (own !== newest) return;
      if (read) show(read.data);
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  };
  document.addEventListener('visibilitychange', () => void follow());
  let address = location.href;
  globalThis.navigation?.addEventListener('currententrychange', () => {
    if (address === location.href) return; // Next's router replaces the entry with each refresh
    address = location.href;
    void follow();
  });
  void follow();
  return status;
}

/** A button that posts to the recorder. */
function button(text: string, action: string): HTMLFormElement {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = action;
  const control = document.createElement('button');
  control.textContent = text;
  form.append(control);
  return form;
}

function link(text: string, path: string): HTMLAnchorElement {
  const anchor = document.createElement('a');
  anchor.href = emulatorsUrl + path;
  anchor.target = 'emulators';
  anchor.textContent = text;
  return anchor;
}

/** What the recorder says, or null if it does not respond. */
async function ask<Data>(name: string): Promise<{ data: Data } | null> {
  try {
    const response = await fetch(`/__emulators/${name}`);
    return response.ok ? ((await response.json()) as { data: Data }) : null;
  } catch {
    return null;
  }
}

/** Keeps what the browser scrolls into view, such as the control with the focus, clear of the bar while that is in the page. */
function keepClear(bar: HTMLElement): void {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  const update = () => sheet.replaceSync(`:root:has(#${bar.id}) { scroll-padding-bottom: ${bar.offsetHeight}px; }`);
  new ResizeObserver(update).observe(bar); // its parts wrap
}

/** After the page has loaded, so that the bar does not slow it down; never inside a frame of the control room. */
async function start(): Promise<void> {
  if (window.top !== window || document.getElementById('emulators-bar')) return;
  const faults = await ask<Fault[]>('faults');
  const bar = createBar(faults?.data ?? []);
  document.body.append(bar);
  keepClear(bar);
}

if (document.readyState === 'complete') void start();
else window.addEventListener('load', () => void start(), { once: true });
