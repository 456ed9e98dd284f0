// Webhooks in the order in which they were created, next to the order in which they arrived: duplicates are two attempts,
// disorder is two numbers that differ, lateness is a countdown.
import type { Delivery } from '../core/deliveries';
import { Badge, Countdown, Empty, Table } from '../core/ui';

/** @param deliveries newest first */
export function DeliveryTimeline({ deliveries }: { deliveries: readonly Delivery[] }) {
  const created = [...deliveries].reverse();
  const arrivals = arrivalsOf(created);
  return (
    <div data-live="timeline" data-noun="delivery" data-plural="deliveries">
      {created.length === 0 ? (
        <Empty title="No webhooks yet">They are listed once the visitor has signed up.</Empty>
      ) : (
        <Table
          caption="Webhooks as created and as arrived"
          isCaptionHidden
          columns={['Created', 'Arrived', 'Event', 'To', 'Attempts']}
        >
          {created.map((delivery, index) => {
            const arrived = arrivals.get(delivery.id);
            return (
              <tr data-key={delivery.id}>
                <td class="number">{index + 1}</td>
                <td class="number">{describeArrival(arrived, index + 1)}</td>
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

const describeArrival = (arrived: number | undefined, created: number) =>
  arrived === undefined ? '–' : arrived === created ? arrived : <Badge tone="warning">{arrived}</Badge>;

/** The position of each delivery's first attempt among all first attempts. */
function arrivalsOf(deliveries: readonly Delivery[]): Map<string, number> {
  const firsts = deliveries
    .flatMap(({ id, attempts: [first] }) => (first ? [{ id, at: Date.parse(first.attempted_at) }] : []))
    .sort((a, b) => a.at - b.at);
  return new Map(firsts.map(({ id }, index) => [id, index + 1]));
}

const Attempts = ({ delivery }: { delivery: Delivery }) => (
  <span class="row">
    {delivery.attempts.map(({ response_status: status, attempted_at: at, error }) => {
      const late = (Date.parse(at) - Date.parse(delivery.created_at)) / 1000;
      const isOk = status !== null && status < 300;
      return (
        <Badge tone={isOk ? 'success' : 'danger'}>
          {status ?? error ?? 'none'}
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
