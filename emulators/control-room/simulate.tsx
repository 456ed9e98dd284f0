import { isEmulated } from '../core/config';
import { count, formatTime } from '../core/format';
import { Button, Card, Disclosure } from '../core/ui';
import { ClockCard } from './clock';
import { DeliveryList } from './deliveries';
import type { Seen } from './evidence';
import { FaultsCard } from './faults';
import { ControlRoomPage, isPresent } from './layout';
import { linkTo, type Notice, type Room } from './room';

const SHOWN = 12;

/** Time, faults and the latest deliveries. */
export const SimulatePage = ({ room, seen }: { room: Room; seen: Seen }) => (
  <ControlRoomPage
    room={room}
    title="Simulate"
    description={
      isPresent('/deliveries', room.emulator.config)
        ? 'Simulate what Clerk and Stripe do on their servers. No money moves and no email is sent.'
        : 'Simulate faults of the app. Clerk and Stripe run on your keys.'
    }
    scripts={['trace']}
  >
    <div class="stack overview">
      <div class="stack">
        {isEmulated(room.emulator.config, 'stripe') && <ClockCard room={room} />}
        <FaultsCard room={room} seen={seen} />
      </div>
      <div class="stack">
        {isPresent('/deliveries', room.emulator.config) && (
          <Card
            id="deliveries"
            title="Deliveries"
            description="Every webhook as it was sent: signed, and retried for about an hour until the response is 2xx."
            aside={<a href={linkTo('/deliveries', room.customer)}>All deliveries</a>}
          >
            <DeliveryList
              deliveries={seen.deliveries.slice(0, SHOWN)}
              config={room.emulator.config}
              customer={room.customer}
              isFiltered={room.customer !== ''}
            />
          </Card>
        )}
        <State room={room} />
      </div>
    </div>
  </ControlRoomPage>
);

/** Export, import and reset. Resets ask once more. */
const State = ({ room: { customer } }: { room: Room }) => (
  <Card id="state" title="State" description="Users, customers, payments, deliveries, time and faults.">
    <div class="columns">
      <div class="stack tight">
        <a href="/control/export" download>
          Export to a file
        </a>
        <form method="post" action="/actions/import" enctype="multipart/form-data" class="stack tight">
          <label for="file">Import from a file</label>
          <input id="file" name="file" type="file" accept=".gz,application/gzip" required />
          <p class="small">Replaces everything here. This cannot be undone. Export first to keep it.</p>
          <p>
            <Button variant="secondary" size="small">
              Replace the state
            </Button>
          </p>
        </form>
      </div>
      <Disclosure summary={customer ? `Reset ${customer}` : 'Reset everything'}>
        <form method="post" action="/actions/reset" class="stack tight">
          <input type="hidden" name="customer" value={customer} />
          <p class="small">
            {customer
              ? `Deletes everything about ${customer}.`
              : 'Deletes everything except keys, the catalog and webhook endpoints.'}{' '}
            This cannot be undone.
          </p>
          <Button variant="danger">{customer ? 'Delete this customer' : 'Delete everything'}</Button>
        </form>
      </Disclosure>
    </div>
  </Card>
);

type Advanced = { now: Date; events: readonly { id: string; type: string }[] };

/** "Now 22 Dec 2026 · 3 Stripe events", with the events. */
export const describeAdvance = ({ now, events }: Advanced): Notice => ({
  text: `Now ${formatTime(now)} · ${count(events.length, 'Stripe event')}`,
  items: events.map(({ id, type }) => ({ label: type, href: `/ids/${id}` })),
});
