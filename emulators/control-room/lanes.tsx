// Messages between the lanes: one row each, with an arrow from the sender to the receiver. Time runs down.
import type { Child } from 'hono/jsx';
import { formatDuration } from '../core/format';
import { LANES, type Lane, laneLabel, type Profile } from '../core/profile';
import type { Message } from '../core/trace';
import type { Tone } from '../core/ui';

const toneOf = (status: number | null): Tone =>
  status === null || status >= 500 ? 'danger' : status >= 400 ? 'warning' : 'success';

const at = (lane: Lane): number => LANES.indexOf(lane);

type LanesProps = {
  messages: readonly Message[];
  profile: Profile;
  selected?: number | undefined;
  /** Where a row leads. */
  hrefOf: (message: Message) => string;
};

/** A list of messages, oldest first. The heads of the lanes stay in view. */
export function Lanes({ messages, profile, selected, hrefOf }: LanesProps) {
  const sorted = [...messages].sort((a, b) => a.at.localeCompare(b.at) || a.id - b.id);
  return (
    <div class="lanes">
      <div class="lanes-head" aria-hidden="true">
        <span class="lanes-time">Time, UTC</span>
        <span class="lanes-request">Request</span>
        <span class="lanes-diagram">
          {LANES.map((lane) => (
            <span title={profile.lanes[lane]?.note}>{laneLabel(profile, lane)}</span>
          ))}
        </span>
        <span class="lanes-result">Response</span>
      </div>
      <ol aria-label="Messages, oldest first">
        {sorted.map((message) => (
          <Row message={message} profile={profile} isSelected={message.id === selected} href={hrefOf(message)} />
        ))}
      </ol>
    </div>
  );
}

type RowProps = { message: Message; profile: Profile; isSelected: boolean; href: string };

const Row = ({ message, profile, isSelected, href }: RowProps) => {
  const { id, from, to, method, path, status, duration_ms: duration, subjects } = message;
  const event = eventOf(message);
  return (
    <li data-key={String(id)} data-ids={subjects.join('\n')} class={isSelected ? 'selected' : undefined}>
      <a href={href} aria-current={isSelected ? 'true' : undefined}>
        <time class="lanes-time" datetime={message.at}>
          {message.at.slice(11, 23)}
        </time>
        <span class="lanes-request">
          <span class="method">{method}</span> {path.split('?')[0]}
          {event && <span class="event"> {event}</span>}
          <span class="sr-only">
            from {laneLabel(profile, from)} to {laneLabel(profile, to)}
          </span>
        </span>
        <Arrow from={from} to={to} tone={toneOf(status)} />
        <span class="lanes-result">
          <Status status={status} />
          <span class="muted">{formatDuration(duration)}</span>
        </span>
      </a>
    </li>
  );
};

/** The type of a webhook's event. Both providers name it alike. */
export function eventOf({ signature, request }: Message): string | null {
  if (!signature) return null;
  try {
    const { type } = JSON.parse(request.body) as { type?: unknown };
    return typeof type === 'string' ? type : null;
  } catch {
    return null; // truncated because it was too long
  }
}

/** A status code in its color. */
export const Status = ({ status }: { status: number | null }): Child => (
  <span class={`status ${toneOf(status)}`}>{status ?? 'none'}</span>
);

/** The classes place it: lanes are columns, and an arrow runs from the middle of one to the middle of another. */
function Arrow({ from, to, tone }: { from: Lane; to: Lane; tone: Tone }) {
  const [start, end] = [at(from), at(to)];
  const direction = start === end ? 'self' : start < end ? 'right' : 'left';
  return (
    <span class="lanes-diagram" aria-hidden="true">
      {LANES.map((lane) => (
        <span class={lane === from || lane === to ? 'lifeline active' : 'lifeline'} />
      ))}
      <span class={`arrow ${direction} ${tone} a${Math.min(start, end)} b${Math.max(start, end)}`} />
    </span>
  );
}
