// The frame of the control room's pages: navigation, the customer they show, the faults that are on, and live updates.
import type { PropsWithChildren } from 'hono/jsx';
import { isEmulated } from '../core/config';
import type { Emulator } from '../core/emulator';
import { TRACKER_BLOCKED, titleOf } from '../core/faults';
import { Page } from '../core/page';
import { Button, Callout, LinkButton, TextField } from '../core/ui';
import { linkTo, type Notice, type Room } from './room';

const SECTIONS = [
  { href: '/', name: 'Trace' },
  { href: '/tour', name: 'Tour' },
  { href: '/scenarios', name: 'Scenarios' },
  { href: '/simulate', name: 'Simulate' },
  { href: '/deliveries', name: 'Deliveries' },
  { href: '/users', name: 'Users' },
  { href: '/payments', name: 'Payments' },
] as const;

/** Whether this instance has what a section shows: it has no data of a provider that is not emulated. */
export function isPresent(href: string, config: Emulator['config']): boolean {
  if (href === '/tour') return config.profile.tour !== undefined;
  if (href === '/scenarios') return config.profile.scenarios.length > 0;
  if (href === '/deliveries') return isEmulated(config, 'clerk', 'stripe');
  if (href === '/users') return isEmulated(config, 'clerk');
  return href !== '/payments' || isEmulated(config, 'stripe');
}

/** Pages about one thing that a section lists. */
const BELONGS_TO: Record<string, string> = { '/trace': '/', '/ids': '/', '/source': '/' };

type ControlRoomPageProps = PropsWithChildren<{
  room: Room;
  /** The page's h1. */
  title: string;
  /** The document's title, for one of several pages with the same h1. */
  documentTitle?: string;
  description: string;
  /** Browser scripts besides the one that keeps the page current. */
  scripts?: readonly string[];
  /** Whether the page can be limited to one customer. */
  hasFilter?: boolean;
  /** What the page updates for besides clocks and faults, as the query of `/control/stream`; unset means every change. */
  stream?: Record<string, string>;
}>;

export const ControlRoomPage = ({
  room,
  title,
  documentTitle = title,
  description,
  scripts = [],
  hasFilter = true,
  stream = {},
  children,
}: ControlRoomPageProps) => (
  <Page
    title={documentTitle}
    header={<Header room={room} />}
    width="wide"
    scripts={['live', ...scripts]}
    styles={['control-room']}
  >
    <div class="page-title">
      <div>
        <h1>{title}</h1>
        <p class="muted">{description}</p>
      </div>
      <LiveToggle
        stream={{ ...stream, ...(stream.events && { events: `${stream.events},control` }), since: room.version }}
      />
    </div>
    {hasFilter && <CustomerFilter room={room} />}
    {room.notice && <NoticeCallout notice={room.notice} />}
    <FaultBanner room={room} />
    {children}
  </Page>
);

function Header({ room: { emulator, path, customer } }: { room: Room }) {
  const { appName, appUrl } = emulator.config;
  const section = BELONGS_TO[`/${path.split('/')[1]}`] ?? path;
  const current = (href: string) => section === href || (href !== '/' && section.startsWith(`${href}/`));
  return (
    <>
      <a href={linkTo('/', customer)} class="brand">
        <span>Emulator</span>
      </a>
      <nav aria-label="Control room">
        {SECTIONS.filter(({ href }) => isPresent(href, emulator.config)).map(({ href, name }) => (
          <a href={linkTo(href, customer)} aria-current={current(href) ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <nav aria-label="App" class="aside">
        <a href={appUrl}>{appName}</a>
      </nav>
    </>
  );
}

/** Shown once the browser's script runs. */
const LiveToggle = ({ stream }: { stream: Record<string, string> }) => (
  <div class="row">
    <Button
      type="button"
      variant="secondary"
      size="small"
      id="live-toggle"
      hidden
      data-stream={`?${new URLSearchParams(stream)}`}
    >
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d="M2 1h3v10H2zM7 1h3v10H7z" />
      </svg>
      <span>Live</span>
      <span class="sr-only">(pause updates)</span>
    </Button>
    <span role="status" id="live-status" class="muted small" />
  </div>
);

/** In the address, so that a tab stays with one customer. */
const CustomerFilter = ({ room: { path, customer, customers } }: { room: Room }) => (
  <form action={path.startsWith('/deliveries/') ? '/deliveries' : path} aria-label="Customer" class="row end filter">
    <TextField
      id="customer"
      name="customer"
      type="search"
      label="Customer"
      list="known-customers"
      placeholder="All customers"
      autocomplete="off"
      value={customer}
    />
    <datalist id="known-customers">
      {customers.map((email) => (
        <option value={email} />
      ))}
    </datalist>
    <Button variant="secondary">Show</Button>
    {customer && (
      <LinkButton href={path} variant="ghost">
        All customers
      </LinkButton>
    )}
  </form>
);

const NOTICE = 'notice';

/** What describes the row that an action leads back to: the notice of what it did, if there is one. */
export const noticeOf = ({ notice }: Room): string | undefined => (notice ? NOTICE : undefined);

const NoticeCallout = ({ notice: { text, items = [], isProblem } }: { notice: Notice }) => (
  <Callout id={NOTICE} tone={isProblem ? 'danger' : 'success'} role={isProblem ? 'alert' : 'status'}>
    <p>{text}</p>
    {items.length > 0 && (
      <ul class="inline-list">
        {items.map(({ label, href }) => (
          <li>{href ? <a href={href}>{label}</a> : label}</li>
        ))}
      </ul>
    )}
  </Callout>
);

/** On every page while a fault is on. */
function FaultBanner({ room: { faults, isTrackerBlocked } }: { room: Room }) {
  const names = [
    ...faults.map(({ name, value, subject }) => `${titleOf(name, value)} (${subject || 'all customers'})`),
    ...(isTrackerBlocked ? [`${TRACKER_BLOCKED} (this browser)`] : []),
  ];
  return (
    <div data-live="fault-banner" class="fault-banner">
      {names.length > 0 && (
        <Callout tone="warning">
          <form method="post" action="/actions/faults/reset" class="between">
            <p>
              <strong>Faults on: </strong>
              {names.join(' · ')}
            </p>
            <Button variant="secondary" size="small">
              Turn all faults off
            </Button>
          </form>
        </Callout>
      )}
    </div>
  );
}
