// The tour: the app next to its trace, with the next thing to do. Its texts come from the app's profile.
import type { Message } from '../core/trace';
import { Button, Callout, LinkButton } from '../core/ui';
import { AdvanceStatus } from './clock';
import { Lanes } from './lanes';
import { ControlRoomPage } from './layout';
import type { Room } from './room';
import type { TourState, TourStepState } from './tour-state';

type TourPageProps = {
  room: Room;
  tour: TourState;
  /** This browser, as the recorder knows it. */
  visitor: { id: string; email: string | null } | null;
  messages: readonly Message[];
};

export const TourPage = ({ room, tour, visitor, messages }: TourPageProps) => {
  const { appUrl, appName, profile } = room.emulator.config;
  return (
    <ControlRoomPage
      room={room}
      title="Tour"
      description="Use the app as a visitor would. The steps follow what really happens in this browser."
      scripts={['trace']}
      hasFilter={false}
      stream={{ events: 'message' }} // of any browser: this one may start again as a new visitor
    >
      <div class="stack tour">
        <section class="tour-steps card" aria-label="Steps">
          <div data-live="tour" data-moves-focus="true" class="stack tight">
            {tour.remarks.map((text) => (
              <Callout tone="warning">
                <p>{text}</p>
              </Callout>
            ))}
            <ol>
              {tour.steps.map((step, index) => (
                <Step step={step} number={index + 1} email={visitor?.email ?? null} appUrl={appUrl} />
              ))}
            </ol>
            <Finish isFinished={tour.isFinished} />
          </div>
          <p role="status" class="sr-only" data-live="tour-next">
            {tour.isFinished
              ? 'The tour is complete.'
              : tour.steps.map((step) => step.state === 'next' && `Next: ${step.title}`)}
          </p>
          <form method="post" action={`${appUrl}/__emulators/new-visitor`} target="app">
            <Button variant="ghost" size="small">
              Start again as a new visitor
            </Button>
          </form>
        </section>
        <iframe src={appUrl} name="app" title={appName} class="tour-app" />
        <section class="tour-trace card" aria-label="Trace of this visitor">
          <div class="between">
            <h2>Trace</h2>
            {visitor && <a href={`/?visitor=${visitor.id}`}>Open the trace</a>}
          </div>
          <div data-live="messages" class="trace-scroll">
            {messages.length === 0 ? (
              <p class="muted">The messages of this browser appear here.</p>
            ) : (
              <Lanes messages={messages} profile={profile} hrefOf={({ id }) => `/trace/${id}?visitor=${visitor?.id}`} />
            )}
          </div>
        </section>
      </div>
    </ControlRoomPage>
  );
};

const LABELS: Record<TourStepState['state'], string> = { done: 'Done', missed: 'Missed', next: 'Next', ahead: 'Later' };

type StepProps = { step: TourStepState; number: number; email: string | null; appUrl: string };

const Step = ({ step, number, email, appUrl }: StepProps) => (
  <li class={`tour-step ${step.state}`} aria-current={step.state === 'next' ? 'step' : undefined}>
    <span class="tour-number" aria-hidden="true">
      {step.state === 'done' ? '✓' : number}
    </span>
    <div>
      <h2>
        {step.title} <span class="sr-only">({LABELS[step.state]})</span>
      </h2>
      {step.state === 'next' && <p class="muted small">{step.text}</p>}
      {step.state === 'next' && <Action step={step} email={email} appUrl={appUrl} />}
      {step.message !== null && (
        <a class="small" href={`/trace/${step.message}`}>
          Message<span class="sr-only"> of “{step.title}”</span>
        </a>
      )}
    </div>
  </li>
);

const Action = ({ step: { action }, email, appUrl }: Omit<StepProps, 'number'>) =>
  'href' in action ? (
    // Without a referrer: a partner's link is not on a page of the control room.
    <LinkButton
      variant="primary"
      size="small"
      href={new URL(action.href, appUrl).href}
      target="app"
      referrerpolicy="same-origin"
    >
      {action.label}
    </LinkButton>
  ) : (
    <form method="post" action="/actions/clock">
      <input type="hidden" name="step" value={action.advance} />
      <input type="hidden" name="customer" value={email ?? ''} />
      {/* The app in the frame is not reloaded; what the clock causes arrives in the stream. */}
      <input type="hidden" name="stay" value="yes" />
      <Button size="small">{action.label}</Button> <AdvanceStatus />
    </form>
  );

const Finish = ({ isFinished }: { isFinished: boolean }) => (
  <div class={`tour-step ${isFinished ? 'next' : 'ahead'}`} aria-current={isFinished ? 'step' : undefined}>
    <span class="tour-number" aria-hidden="true">
      !
    </span>
    <div>
      <h2>Now break it</h2>
      <p class="muted small">
        Run a visitor through an outage, a blocker or duplicate webhooks, and see what survives.
      </p>
      {isFinished && (
        <LinkButton variant="primary" size="small" href="/scenarios">
          Open the scenarios
        </LinkButton>
      )}
    </div>
  </div>
);
