// The webhooks that were sent: a list of single lines, and everything about one of them.
import { type Config, isEmulated } from '../core/config';
import type { Attempt, Delivery } from '../core/deliveries';
import { formatBody, formatDuration, formatTime } from '../core/format';
import { findAppIds } from '../core/trace-ids';
import { Badge, Button, CodeBlock, DetailsList, Table, Time, type Tone } from '../core/ui';
import { ControlRoomPage, noticeOf } from './layout';
import { IdLink, LinkedText } from './linked';
import { NoRows } from './lists';
import { linkTo, type Room } from './room';

const STATUS: Record<Delivery['status'], { label: string; tone: Tone }> = {
  delivered: { label: 'Delivered', tone: 'success' },
  pending: { label: 'Pending', tone: 'warning' },
  failed: { label: 'Failed', tone: 'danger' },
};

const DeliveryStatus = ({ status }: Pick<Delivery, 'status'>) => (
  <Badge tone={STATUS[status].tone}>{STATUS[status].label}</Badge>
);

/** The ID of a delivery's heading, to which an action on the delivery returns. */
export const DELIVERY_TITLE = 'delivery-title';

const PROVIDERS: Record<Delivery['provider'], string> = { clerk: 'Clerk', stripe: 'Stripe' };

type DeliveryListProps = {
  deliveries: Delivery[];
  config: Config;
  /** Kept in the links. */
  customer: string;
  /** Whether some are left out: those of other customers, or newer ones. */
  isFiltered: boolean;
  selected?: string;
};

export const DeliveryList = ({ deliveries, config, customer, isFiltered, selected }: DeliveryListProps) => (
  <div data-live="deliveries" data-noun="delivery" data-plural="deliveries">
    {deliveries.length === 0 ? (
      <NoRows noun="deliveries" unfiltered={isFiltered ? '/deliveries' : null}>
        {isEmulated(config, 'clerk')
          ? 'Sign up in the app: the first event is user.created.'
          : 'Buy something in the app: its events are listed here.'}
      </NoRows>
    ) : (
      <Table
        caption="Deliveries, newest first"
        columns={['Event', 'Status', 'Emulator time', 'Customer']}
        secondary="Customer"
      >
        {deliveries.map((delivery) => (
          <tr data-key={delivery.id} class={delivery.id === selected ? 'selected' : undefined}>
            <th scope="row" class="whole">
              <a
                href={linkTo(`/deliveries/${delivery.id}`, customer)}
                aria-current={delivery.id === selected ? 'true' : undefined}
              >
                {delivery.event_type}
              </a>
              <span class="cut muted small">{new URL(delivery.url).pathname}</span>
            </th>
            <td class="nowrap">
              <DeliveryStatus status={delivery.status} /> <span class="muted small">{describeAttempts(delivery)}</span>
            </td>
            <td class="small">
              <Time value={new Date(delivery.occurred_at)} precision="minute" />
            </td>
            <td class="cut secondary">{delivery.subject}</td>
          </tr>
        ))}
      </Table>
    )}
  </div>
);

/** "200", "503 · 3 attempts" */
function describeAttempts({ attempts }: Delivery): string {
  const last = attempts.at(-1);
  if (!last) return 'not sent yet';
  const outcome = String(last.response_status ?? 'no response');
  return attempts.length === 1 ? outcome : `${outcome} · ${attempts.length} attempts`;
}

const streamOf = ({ customer }: Room) => ({ events: 'delivery', ...(customer && { customer }) });

type DeliveriesPageProps = { room: Room; deliveries: Delivery[]; limit: number; isFiltered: boolean };

const HEAD = {
  title: 'Deliveries',
  description: 'Every webhook as it was sent, with each attempt and response.',
  scripts: ['trace'],
};

export const DeliveriesPage = ({ room, deliveries, limit, isFiltered }: DeliveriesPageProps) => (
  <ControlRoomPage room={room} {...HEAD} stream={streamOf(room)}>
    <section class="card" aria-label="Deliveries">
      <DeliveryList
        deliveries={deliveries}
        config={room.emulator.config}
        customer={room.customer}
        isFiltered={isFiltered}
      />
      {/* Updated separately from the rows: it continues after the last of them. */}
      <div data-live="older-deliveries">
        {deliveries.length === limit && (
          <p>
            <a href={linkTo('/deliveries', room.customer, { before: deliveries.at(-1)?.id ?? '' })}>Show older</a>
          </p>
        )}
      </div>
    </section>
  </ControlRoomPage>
);

type DeliveryPageProps = { room: Room; delivery: Delivery; deliveries: Delivery[] };

/** The list next to the details of one delivery; on narrow screens, only the details. */
export const DeliveryPage = ({ room, delivery, deliveries }: DeliveryPageProps) => (
  <ControlRoomPage room={room} {...HEAD} documentTitle={`${delivery.event_type} · Deliveries`} stream={streamOf(room)}>
    <div class="inspector">
      <section class="card list" aria-label="Deliveries">
        <DeliveryList
          deliveries={deliveries}
          config={room.emulator.config}
          customer={room.customer}
          isFiltered={room.customer !== ''}
          selected={delivery.id}
        />
      </section>
      <Inspector
        room={room}
        delivery={delivery}
        appIds={findAppIds(delivery.body, room.emulator.config.profile).map(({ value }) => value)}
      />
    </div>
  </ControlRoomPage>
);

/** @param props.appIds IDs of the app in the payload */
const Inspector = ({ room, delivery, appIds }: { room: Room; delivery: Delivery; appIds: string[] }) => (
  <article class="card stack" aria-labelledby={DELIVERY_TITLE}>
    <p class="only-narrow">
      <a href={linkTo('/deliveries', room.customer)} class="back">
        All deliveries
      </a>
    </p>
    <div class="between">
      <h2 id={DELIVERY_TITLE} tabindex={-1} aria-describedby={noticeOf(room)}>
        {delivery.event_type}
      </h2>
      <form method="post" action="/actions/redeliver">
        <input type="hidden" name="delivery" value={delivery.id} />
        <Button variant="secondary" size="small">
          Send again<span class="sr-only">: {delivery.event_type}</span>
        </Button>
      </form>
    </div>
    <div data-live="delivery" class="stack">
      <DetailsList
        items={[
          ['Status', <DeliveryStatus status={delivery.status} />],
          ['From', PROVIDERS[delivery.provider]],
          ['To', <code>{delivery.url}</code>],
          ['Event ID', <IdLink value={delivery.event_id} />],
          ['Customer', <a href={linkTo('/simulate', delivery.subject)}>{delivery.subject}</a>],
          ['Trace', <a href={`/?q=${encodeURIComponent(delivery.event_id)}`}>Messages of this event</a>],
          ['Emulator time', formatTime(new Date(delivery.occurred_at))],
          ['Enqueued', formatTime(new Date(delivery.created_at))],
          ...(delivery.next_attempt_at
            ? [['Next attempt', formatTime(new Date(delivery.next_attempt_at))] as const]
            : []),
        ]}
      />
      <h3>Attempts</h3>
      {delivery.attempts.length === 0 && <p class="muted">Not sent yet.</p>}
      <div>
        {delivery.attempts.map((attempt, index, { length }) => (
          <AttemptDetails
            attempt={attempt}
            suffix={length > 1 ? `, attempt ${index + 1}` : ''}
            isOpen={index === length - 1}
          />
        ))}
      </div>
    </div>
    <h3>Payload</h3>
    <CodeBlock label="Payload">
      <LinkedText text={formatBody(delivery.body)} known={appIds} />
    </CodeBlock>
  </article>
);

type AttemptDetailsProps = { attempt: Attempt; suffix: string; isOpen: boolean };

const AttemptDetails = ({ attempt, suffix, isOpen }: AttemptDetailsProps) => (
  <details open={isOpen}>
    <summary>
      {formatTime(new Date(attempt.attempted_at))} · {attempt.response_status ?? attempt.error} ·{' '}
      {formatDuration(attempt.duration_ms)}
    </summary>
    <div class="stack tight">
      <CodeBlock label={`Request headers${suffix}`}>
        {Object.entries(attempt.request_headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n')}
      </CodeBlock>
      {attempt.response_body && <CodeBlock label={`Response${suffix}`}>{formatBody(attempt.response_body)}</CodeBlock>}
    </div>
  </details>
);
