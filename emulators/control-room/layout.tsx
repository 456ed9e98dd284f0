// The frame of the control room's pages: navigation, the customer they show, the faults that are on, and live updates.
import type { PropsWithChildren } from 'hono/jsx';
import { Page } from '../core/page';
import { Button, Callout, LinkButton, TextField } from '../core/ui';
import { titleOf } from './faults';
import { linkTo, type Notice, type Room } from './room';

const SECTIONS = [
  { href: '/', name: 'Overview' },
  { href: '/deliveries', name: 'Deliveries' },
  { href: '/users', name: 'Users' },
  { href: '/payments', name: 'Payments' },
  { href: '/trace', name: 'Trace' },
] as const;

type ControlRoomPageProps = PropsWithChildren<{
  room: Room;
  /** The page's title and h1. */
  title: string;
  description: string;
}>;

export const ControlRoomPage = ({ room, title, description, children }: ControlRoomPageProps) => (
  <Page title={title} header={<Header room={room} />} width="wide" scripts={['live']}>
    <div class="page-title">
      <div>
        <h1>{title}</h1>
        <p class="muted">{description}</p>
      </div>
      <LiveToggle />
    </div>
    <CustomerFilter room={room} />
    {room.notice && <NoticeCallout notice={room.notice} />}
    <FaultBanner room={room} />
    {children}
  </Page>
);

function Header({ room: { emulator, path, customer } }: { room: Room }) {
  const { appName, appUrl } = emulator.config;
  const current = (href: string) => path === href || (href !== '/' && path.startsWith(`${href}/`));
  return (
    <>
      <a href={linkTo('/', customer)} class="brand">
        <span>Emulator</span>
      </a>
      <nav aria-label="Control room">
        {SECTIONS.map(({ href, name }) => (
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
const LiveToggle = () => (
  <div class="row">
    <Button type="button" variant="secondary" size="small" id="live-toggle" hidden title="Pause updates">
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d="M2 1h3v10H2zM7 1h3v10H7z" />
      </svg>
      <span>Live</span>
    </Button>
    <span role="status" id="live-status" class="muted small" />
  </div>
);

/** In the address, so that a tab can stay with one customer. */
const CustomerFilter = ({ room: { path, customer, customers } }: { room: Room }) => (
  <form action={path.startsWith('/deliveries/') ? '/deliveries' : path} aria-label="Customer" class="filter">
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

const NoticeCallout = ({ notice: { text, items = [], isProblem } }: { notice: Notice }) => (
  <Callout tone={isProblem ? 'danger' : 'success'} role={isProblem ? 'alert' : 'status'}>
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

/** On every page while something goes wrong on request. */
function FaultBanner({ room: { faults } }: { room: Room }) {
  return (
    <div data-live="fault-banner">
      {faults.length > 0 && (
        <Callout tone="warning">
          <form method="post" action="/actions/faults/reset" class="between">
            <p>
              <strong>On: </strong>
              {faults
                .map(({ name, value, subject }) => `${titleOf(name, value)} (${subject || 'all customers'})`)
                .join(' · ')}
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
