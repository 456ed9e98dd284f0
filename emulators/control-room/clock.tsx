// The emulators' time, and what moves it.
import { formatTime } from '../core/format';
import { Button, Card } from '../core/ui';
import type { Room } from './room';

const Steps = ({ size }: { size?: 'small' }) => (
  <div class="row">
    <Button name="step" value="month" {...(size && { size, variant: 'secondary' })}>
      Advance one month
    </Button>
    <Button variant="secondary" name="step" value="day" {...(size && { size })}>
      Advance one day
    </Button>
    <Button variant="secondary" name="step" value="renewal" {...(size && { size })}>
      To the next renewal
    </Button>
  </div>
);

const Now = ({ room: { now, customer } }: { room: Room }) => (
  <p>
    Emulator time{customer && ` for ${customer}`}:{' '}
    <strong>
      <time datetime={now.toISOString()} data-live="clock">
        {formatTime(now)}
      </time>
    </strong>{' '}
    <AdvanceStatus />
  </p>
);

/** Says that the clock is advancing, once the browser's script runs. */
export const AdvanceStatus = () => <span role="status" class="muted small" data-advance-status />;

/** One line, above what the advance will cause. */
export const ClockBar = ({ room }: { room: Room }) => (
  <form method="post" action="/actions/clock" class="row clock-bar" aria-label="Clock">
    <input type="hidden" name="customer" value={room.customer} />
    <Now room={room} />
    <Steps size="small" />
  </form>
);

export const ClockCard = ({ room }: { room: Room }) => (
  <Card id="clock" title="Clock">
    <form method="post" action="/actions/clock" class="stack">
      <input type="hidden" name="customer" value={room.customer} />
      <Now room={room} />
      <p class="muted small">Advancing it processes everything that is due, in order, and sends the webhooks.</p>
      <Steps />
    </form>
  </Card>
);
