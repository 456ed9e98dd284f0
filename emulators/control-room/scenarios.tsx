// Scenarios: a visitor goes through sign-up, purchase and renewal while something is broken. Before and after, the code that
// decides it, and the test that proves it.
import type { Delivery } from '../core/deliveries';
import type { ScenarioRow, ShownScenario } from '../core/profile';
import { Badge, Button, Callout, Card, LinkButton, Table, type Tone } from '../core/ui';
import { DeliveryTimeline } from './delivery-timeline';
import { ControlRoomPage } from './layout';
import { IdLink, shorten } from './linked';
import { SourceLink } from './message';
import type { Room } from './room';
import type { ScenarioRun } from './scenario-runs';
import type { SourceText } from './sources';

type ListProps = { room: Room; scenarios: readonly ShownScenario[]; runOf: (name: string) => ScenarioRun | null };

export const ScenariosPage = ({ room, scenarios, runOf }: ListProps) => (
  <ControlRoomPage
    room={room}
    title="Scenarios"
    description="Break something and see what it costs. Each runs a new visitor through the app; no other visitor is affected."
    hasFilter={false}
    stream={{ events: 'scenario' }}
  >
    <ul class="scenarios" data-live="scenarios">
      {scenarios.map((scenario) => (
        <li class="card" data-key={scenario.name}>
          <div class="between">
            <h2>
              <a href={`/scenarios/${scenario.name}`}>{scenario.title}</a>
            </h2>
            <Outcome run={runOf(scenario.name)} />
          </div>
          <p class="muted">{scenario.description}</p>
          <RunButton scenario={scenario} run={runOf(scenario.name)} />
        </li>
      ))}
    </ul>
    <p class="small">
      To break it by hand, for one customer or for all, <a href="/simulate#faults">turn a fault on</a> and use the app.
    </p>
  </ControlRoomPage>
);

const RunButton = ({ scenario, run }: { scenario: ShownScenario; run: ScenarioRun | null }) => (
  <form method="post" action="/actions/scenarios">
    <input type="hidden" name="name" value={scenario.name} />
    <Button size="small" disabled={run?.isRunning}>
      {run?.isRunning ? 'Running' : run ? 'Run again' : 'Run'}
      <span class="sr-only">: {scenario.title}</span>
    </Button>
  </form>
);

const outcomeOf = ({ error, rows }: ScenarioRun): { tone: Tone; text: string } => {
  if (error) return { tone: 'danger', text: 'Failed' };
  const count = (wanted: ScenarioRow['outcome']) => rows.filter(({ outcome }) => outcome === wanted).length;
  const [wrong, lost] = [count('wrong'), count('lost')];
  if (wrong > 0) return { tone: 'danger', text: `${wrong} of ${rows.length} wrong` };
  return lost > 0
    ? { tone: 'warning', text: `${lost} of ${rows.length} lost` }
    : { tone: 'success', text: 'Nothing lost' };
};

function Outcome({ run }: { run: ScenarioRun | null }) {
  if (!run || run.isRunning) return null; // the button says so
  const { tone, text } = outcomeOf(run);
  return <Badge tone={tone}>{text}</Badge>;
}

type PageProps = {
  room: Room;
  scenario: ShownScenario;
  run: ScenarioRun | null;
  deliveries: readonly Delivery[];
  decidedBy: SourceText | null;
  provenBy: SourceText | null;
  visitor: string | null;
};

export const ScenarioPage = ({ room, scenario, run, deliveries, decidedBy, provenBy, visitor }: PageProps) => (
  <ControlRoomPage
    room={room}
    title={scenario.title}
    description={scenario.description}
    scripts={['trace']}
    hasFilter={false}
    stream={{ events: 'delivery,scenario', scenario: scenario.name }}
  >
    <div class="row scenario-head" data-live="run">
      <LinkButton variant="ghost" size="small" href="/scenarios">
        All scenarios
      </LinkButton>
      <RunButton scenario={scenario} run={run} />
      <Outcome run={run} />
      {visitor && (
        <LinkButton size="small" href={`/?visitor=${visitor}`}>
          Trace
        </LinkButton>
      )}
      {run?.visitor?.id && <IdLink value={run.visitor.id}>{shorten(run.visitor.id)}</IdLink>}
    </div>
    <p role="status" class="sr-only" data-live="outcome">
      {run && !run.isRunning && outcomeOf(run).text}
    </p>
    <div class="stack overview">
      <Card id="steps" title="Visitor">
        <Steps run={run} />
      </Card>
      <Card id="result" title="What the service has">
        <Result run={run} />
      </Card>
    </div>
    <Card id="evidence" title="Evidence" description="The code that decides the outcome, and the test that covers it.">
      <ul class="sources">
        <li>
          <span class="muted">Decided by</span>
          <SourceLink {...scenario.decidedBy} text={decidedBy} />
        </li>
        <li>
          <span class="muted">Covered by</span>
          <SourceLink {...scenario.provenBy} text={provenBy} />
          <span class="muted small">“{scenario.provenBy.find}”</span>
        </li>
      </ul>
    </Card>
    <Card
      id="timeline"
      title="Webhooks"
      description="In the order in which they were created, with each attempt. Numbered per endpoint."
    >
      <DeliveryTimeline deliveries={deliveries} />
    </Card>
  </ControlRoomPage>
);

const Steps = ({ run }: { run: ScenarioRun | null }) => (
  <div data-live="steps">
    {!run && <p class="muted">Run the scenario to see a visitor go through the app.</p>}
    {run && (
      <ol class="steps">
        {run.steps.map((step, index) => {
          const isCurrent = run.isRunning && index === run.steps.length - 1;
          return (
            <li class={isCurrent ? 'current' : 'done'} aria-current={isCurrent ? 'step' : undefined}>
              {step}
            </li>
          );
        })}
      </ol>
    )}
    {run?.error && (
      <Callout tone="danger" title="The scenario has no result">
        <p>{run.error}</p>
      </Callout>
    )}
  </div>
);

const OUTCOMES: Record<ScenarioRow['outcome'], { tone: Tone; text: string }> = {
  survived: { tone: 'success', text: 'Survived' },
  recovered: { tone: 'info', text: 'Recovered' },
  lost: { tone: 'warning', text: 'Lost' },
  wrong: { tone: 'danger', text: 'Wrong' },
};

const Result = ({ run }: { run: ScenarioRun | null }) => (
  <div data-live="result">
    {!run || run.rows.length === 0 ? (
      <p class="muted">
        {run?.isRunning ? 'The comparison appears when the run is complete.' : 'Nothing to compare yet.'}
      </p>
    ) : (
      <Table caption="Before and after" columns={['Stage', 'While it is broken', 'Once it is repaired', 'Result']}>
        {run.rows.map(({ stage, during, after, outcome }) => (
          <tr>
            <th scope="row">{stage}</th>
            <td data-label="Broken:">{during}</td>
            <td data-label="Repaired:">{after}</td>
            <td>
              <Badge tone={OUTCOMES[outcome].tone}>{OUTCOMES[outcome].text}</Badge>
            </td>
          </tr>
        ))}
      </Table>
    )}
  </div>
);
