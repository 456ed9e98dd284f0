// The faults: what each one breaks, what to watch, and what it has done so far.
import type { Child } from 'hono/jsx';
import { type FaultName, isApplied, TRACKER_BLOCKED, titleOf } from '../core/faults';
import type { ShownScenario } from '../core/profile';
import { Badge, Button, Card, Countdown } from '../core/ui';
import { type Evidence, findEvidence, type Seen } from './evidence';
import { noticeOf } from './layout';
import { linkTo, type Room } from './room';

type ShownFault = { name: FaultName; value: string; description: Child };

const FAULTS: readonly ShownFault[] = [
  {
    name: 'mode',
    value: 'shuffled',
    description: (
      <>
        Events arrive in any order, such as <code>invoice.paid</code> before <code>checkout.session.completed</code>.
      </>
    ),
  },
  {
    name: 'mode',
    value: 'duplicated',
    description: 'Every event arrives twice at the same moment, with the same event ID.',
  },
  {
    name: 'delay_seconds',
    value: '30',
    description: 'Webhooks are sent 30 seconds after the event.',
  },
  {
    name: 'mode',
    value: 'off',
    description: 'No webhooks are sent. Pending ones are sent when you turn this off.',
  },
  {
    name: 'drop_subscription_metadata',
    value: 'true',
    description: (
      <>
        As if the app did not send <code>subscription_data.metadata</code>: subscriptions from new checkouts, and the
        invoices of their renewals, have no metadata.
      </>
    ),
  },
  {
    name: 'outage',
    value: 'true',
    description: 'The recorder returns 503 for the service embedded in the app.',
  },
];

/** The row of a fault, which an action on it leads back to. */
export const rowOf = (name: FaultName | 'tracker_blocked', value: string): string => `fault-${name}-${value}`;

export function FaultsCard({ room, seen }: { room: Room; seen: Seen }) {
  const now = new Date();
  const { config } = room.emulator;
  const { scenarios } = config.profile;
  const scenarioOf = (fault: string) => scenarios.find((scenario) => scenario.fault === fault);
  return (
    <Card
      id="faults"
      title="Faults"
      description={`Turn one on for ${room.customer || 'all customers'}, then use the app as usual.`}
    >
      <ul class="stack faults" data-live="faults">
        {FAULTS.filter(({ name }) => isApplied(name, config)).map((fault) => {
          const isOn = room.faults.some(
            ({ name, value, subject }) =>
              name === fault.name && subject === room.customer && (value === fault.value || name === 'delay_seconds'),
          );
          return (
            <FaultItem
              fault={fault}
              room={room}
              isOn={isOn}
              evidence={isOn ? findEvidence(fault, seen, now) : null}
              scenario={scenarioOf(`${fault.name}=${fault.value}`)}
            />
          );
        })}
        {isApplied('tracker_blocked', config) && (
          <TrackerBlocked room={room} scenario={scenarioOf('tracker_blocked=true')} />
        )}
      </ul>
    </Card>
  );
}

type Covered = { scenario: ShownScenario | undefined };
type FaultItemProps = { room: Room; fault: ShownFault; isOn: boolean; evidence: Evidence | null } & Covered;

const FaultItem = ({ room, fault: { name, value, description }, isOn, evidence, scenario }: FaultItemProps) => {
  const { customer } = room;
  const title = titleOf(name, value);
  return (
    <li
      id={rowOf(name, value)}
      tabindex={-1}
      aria-label={title}
      aria-describedby={noticeOf(room)}
      data-key={`${name}-${value}`}
    >
      <form method="post" action="/actions/faults" class="between">
        <h3>{title}</h3>
        <input type="hidden" name="customer" value={customer} />
        <input type="hidden" name="name" value={name} />
        <input type="hidden" name="value" value={value} />
        <input type="hidden" name="turn" value={isOn ? 'off' : 'on'} />
        <Switch isOn={isOn} title={title} />
      </form>
      <p class="muted small">
        {description} <Coverage scenario={scenario} />
      </p>
      {evidence && (
        <p class="evidence small">
          {evidence.delivery ? (
            <a href={linkTo(`/deliveries/${evidence.delivery}`, customer)}>{evidence.text}</a>
          ) : (
            evidence.text
          )}
          {evidence.until && (
            <>
              {' '}
              <Countdown until={evidence.until} />
            </>
          )}
        </p>
      )}
    </li>
  );
};

/** The scenario that runs a visitor through it, and the test that proves how it ends. */
const Coverage = ({ scenario }: Covered) =>
  scenario ? (
    <>
      <a href={`/scenarios/${scenario.name}`}>Run the scenario</a>
      {' · '}
      <a href={`/source?${new URLSearchParams(scenario.provenBy)}`} data-drawer>
        Covered by this test
      </a>
    </>
  ) : null;

/** A fault of this browser alone: a cookie that the recorder looks for. */
const TrackerBlocked = ({ room, scenario }: { room: Room } & Covered) => (
  <li
    id={rowOf('tracker_blocked', 'true')}
    tabindex={-1}
    aria-label={TRACKER_BLOCKED}
    aria-describedby={noticeOf(room)}
    data-key="tracker"
  >
    <form method="post" action="/actions/tracker" class="between">
      <h3>{TRACKER_BLOCKED}</h3>
      <input type="hidden" name="turn" value={room.isTrackerBlocked ? 'off' : 'on'} />
      <Switch isOn={room.isTrackerBlocked} title={TRACKER_BLOCKED} />
    </form>
    <p class="muted small">
      In this browser only: the recorder drops the requests that a tracking blocker would block, whatever the customer.{' '}
      <Coverage scenario={scenario} />
    </p>
  </li>
);

const Switch = ({ isOn, title }: { isOn: boolean; title: string }) => (
  <span class="row">
    {isOn && <Badge tone="warning">On</Badge>}
    <Button variant={isOn ? 'primary' : 'secondary'} size="small">
      Turn {isOn ? 'off' : 'on'}
      <span class="sr-only"> {title}</span>
    </Button>
  </span>
);
