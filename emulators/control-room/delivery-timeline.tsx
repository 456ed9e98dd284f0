// Webhooks in the order in which they were created, next to the order in which they arrived at their endpoint: duplicates are two
// attempts, disorder is two numbers that differ, lateness is a countdown.
import type { Delivery } from '../core/deliveries';
import { Badge, Countdown, Empty, Table } from '../core/ui';

/** @param deliveries of one customer, newest first */
export function DeliveryTimeline({ deliveries }: { deliveries: readonly Delivery[] }) {
  const created = [...deliveries].reverse();
  const positions = positionsOf(created);
  return (
    <div data-live="timeline" data-noun="delivery" data-plural="deliveries">
      {created.length === 0 ? (
        <Empty title="No webhooks yet">They are listed once the visitor has signed up.</Empty>
      ) : (
        <Table caption="Webhooks as created and as arrived" columns={['Created', 'Arrived', 'Event', 'To', 'Attempts']}>
          {created.map((delivery) => {
            const position = positions.get(delivery.id);
            return (
              <tr data-key={delivery.id}>
                <td class="number">{position?.created}</td>
                <td class="number">{position && describeArrival(position)}</td>
                <td class="whole">
                  <a href={`/deliveries/${delivery.id}`}>{delivery.event_type}</a>
                </td>
                <td class="small muted">{new URL(delivery.url).pathname}</td>
                <td>
                  <Attempts delivery={delivery} />
                </td>
              </tr>
            );
          })}
        </Table>
      )}
    </div>
  );
}

type Position = { created: number; arrived: number | undefined };

const describeArrival = ({ created, arrived }: Position) =>
  arrived === undefined ? '–' : arrived === created ? arrived : <Badge tone="warning">{arrived}</Badge>;

/**
 * The positions of each delivery among those to its endpoint, from 1: order is kept per endpoint. A delivery counts as arrived at its
 * first attempt.
 * @param deliveries oldest first
 */
export function positionsOf(deliveries: readonly Pick<Delivery, 'id' | 'url' | 'attempts'>[]): Map<string, Position> {
  const positions = new Map<string, Position>();
  for (const url of new Set(deliveries.map((delivery) => delivery.url))) {
    const own = deliveries.filter((delivery) => delivery.url === url);
    const arrivals = own
      .flatMap(({ id, attempts: [first] }) => (first ? [{ id, at: Date.parse(first.attempted_at) }] : []))
      .sort((a, b) => a.at - b.at)
      .map(({ id }) => id);
    for (const [index, { id }] of own.entries()) {
      positions.set(id, { created: index + 1, arrived: arrivals.indexOf(id) + 1 || undefined });
    }
  }
  return positions;
}

const Attempts = ({ delivery }: { delivery: Delivery }) => (
  <span class="row">
    {delivery.attempts.map(({ response_status: status, attempted_at: at }) => {
      const late = (Date.parse(at) - Date.parse(delivery.created_at)) / 1000;
      const isOk = status !== null && status < 300;
      return (
        <Badge tone={isOk ? 'success' : 'danger'}>
          {status ?? 'no response'}
          {late >= 1 && ` after ${late.toFixed(0)} s`}
        </Badge>
      );
    })}
    {delivery.status === 'pending' && delivery.next_attempt_at && (
      <Badge tone="warning">
        <Countdown until={delivery.next_attempt_at} />
      </Badge>
    )}
  </span>
);
