// The control room's first page: the HTTP messages between the lanes as they pass, and one of them next to the list.
import type { Child } from 'hono/jsx';
import { isEmulated } from '../core/config';
import { LANES, laneLabel } from '../core/profile';
import type { Message, Visitor } from '../core/trace';
import { Button, LinkButton } from '../core/ui';
import { ClockBar } from './clock';
import { Lanes } from './lanes';
import { ControlRoomPage } from './layout';
import { NoRows } from './lists';
import type { Room } from './room';

/** What the list shows; kept in the address, so that a link shows the same. */
export type TraceView = { visitor: string; search: string; isWhole: boolean; before: number | null };

const queryOf = ({ visitor, search, isWhole }: TraceView, more: Record<string, string> = {}): string => {
  const query = new URLSearchParams({
    ...(visitor && { visitor }),
    ...(search && { q: search }),
    ...(isWhole && { all: '1' }),
    ...more,
  }).toString();
  return query && `?${query}`;
};

const EVERYTHING = { visitor: '', search: '', before: null };

const isFiltered = ({ visitor, search, before }: TraceView): boolean =>
  visitor !== '' || search !== '' || before !== null;

type TracePageProps = {
  room: Room;
  view: TraceView;
  messages: readonly Message[];
  limit: number;
  visitors: readonly Visitor[];
  selected?: Message;
  /** The selected message in full. */
  children?: Child;
};

/** @param props.messages newest first; shown oldest first */
export const TracePage = ({ room, view, messages, limit, visitors, selected, children }: TracePageProps) => (
  <ControlRoomPage
    room={room}
    title="Trace"
    {...(selected && { documentTitle: `${selected.method} ${selected.path.split('?')[0]} · Trace` })}
    description={DESCRIPTION}
    scripts={['trace']}
    hasFilter={false}
    stream={{ events: 'message', ...(view.visitor && { visitor: view.visitor }) }}
  >
    {isEmulated(room.emulator.config, 'stripe') && <ClockBar room={room} />}
    <div class={children ? 'stack trace with-panel' : 'stack trace'}>
      <section class="card trace-list" aria-label="Trace">
        <Filter view={view} visitors={visitors} />
        <NotCaptured room={room} />
        <div data-live="messages" data-noun="message" class="trace-scroll" id="trace-scroll">
          <div>
            {/* Updated separately from the rows: it continues before the oldest of them. */}
            <div data-live="older-messages">
              {messages.length === limit && (
                <p class="small">
                  <a href={`/${queryOf(view, { before: String(messages.at(-1)?.id) })}`}>Show older</a>
                </p>
              )}
            </div>
            {messages.length === 0 ? (
              <NoRows noun="messages" unfiltered={isFiltered(view) ? backTo({ ...view, ...EVERYTHING }) : null}>
                Use the app at <a href={room.emulator.config.appUrl}>{room.emulator.config.appUrl}</a>: its messages are
                listed here as they happen.
              </NoRows>
            ) : (
              <Lanes
                messages={messages}
                profile={room.emulator.config.profile}
                selected={selected?.id}
                hrefOf={({ id }) => `/trace/${id}${queryOf(view)}`}
              />
            )}
          </div>
        </div>
      </section>
      <div id="panel" class="trace-panel">
        {children}
      </div>
    </div>
  </ControlRoomPage>
);

const DESCRIPTION = 'HTTP messages as they pass. Credentials, cookies and card numbers are redacted.';

export const backTo = (view: TraceView): string => `/${queryOf(view)}`;

const nameOf = ({ id, email }: Visitor): string => email ?? `Visitor ${id.slice(0, 6)}`;

const Filter = ({ view, visitors }: { view: TraceView; visitors: readonly Visitor[] }) => (
  <form action="/" aria-label="Filter" class="row toolbar">
    <label class="sr-only" for="visitor">
      Visitor
    </label>
    <select id="visitor" name="visitor">
      <option value="">All visitors</option>
      {visitors.map((visitor) => (
        <option value={visitor.id} selected={visitor.id === view.visitor}>
          {nameOf(visitor)}
        </option>
      ))}
    </select>
    <label class="sr-only" for="q">
      Path or ID
    </label>
    <input id="q" name="q" type="search" placeholder="Path or ID" value={view.search} autocomplete="off" />
    <label class="check">
      <input type="checkbox" name="all" value="1" checked={view.isWhole} /> Prefetches and polling requests
    </label>
    <Button variant="secondary" size="small">
      Filter
    </Button>
    <span class="aside row">
      <LinkButton variant="ghost" size="small" href={`/trace.har${queryOf(view)}`} download>
        Export HAR
      </LinkButton>
    </span>
  </form>
);

/** Lanes of which only some messages pass this machine. */
function NotCaptured({ room }: { room: Room }) {
  const profile = room.emulator.config.profile;
  const notes = LANES.flatMap((lane) => {
    const note = profile.lanes[lane]?.note;
    return note ? [`${laneLabel(profile, lane)}: ${note}`] : [];
  });
  return notes.length === 0 ? null : (
    <ul class="small muted" aria-label="Not captured">
      {notes.map((note) => (
        <li>{note}</li>
      ))}
    </ul>
  );
}
