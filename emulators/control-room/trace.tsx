import { formatBody, formatTime } from '../core/format';
import type { Lane, Message } from '../core/trace';
import { Badge, Card, CodeBlock, Empty, Table, Time, type Tone } from '../core/ui';
import { ControlRoomPage } from './layout';
import type { Room } from './room';

const LANES: Record<Lane, string> = {
  browser: 'Browser',
  app: 'App',
  service: 'Service',
  clerk: 'Clerk',
  stripe: 'Stripe',
};

const toneOf = (status: number | null): Tone =>
  status === null || status >= 500 ? 'danger' : status >= 400 ? 'warning' : 'success';

/** The HTTP messages that were recorded, newest first. */
export const TracePage = ({ room, messages, limit }: { room: Room; messages: Message[]; limit: number }) => (
  <ControlRoomPage
    room={room}
    title="Trace"
    description="HTTP messages as they passed. Credentials, cookies, passwords and card numbers are redacted."
  >
    <section class="card" aria-label="Messages" data-live="messages" data-noun="message">
      {messages.length === 0 ? (
        <Empty title="No messages yet">Use the app: its requests to Clerk and Stripe are listed here.</Empty>
      ) : (
        <Table caption="Messages, newest first" isCaptionHidden columns={['Request', 'From and to', 'Status', 'Time']}>
          {messages.map((message) => (
            <tr data-key={String(message.id)}>
              <td class="whole">
                <a href={`/trace/${message.id}`}>
                  {message.method} {message.path.length > 90 ? `${message.path.slice(0, 90)}…` : message.path}
                </a>
              </td>
              <td class="nowrap">
                {LANES[message.from]} → {LANES[message.to]}
              </td>
              <td class="nowrap">
                <Badge tone={toneOf(message.status)}>{message.status ?? 'no response'}</Badge>{' '}
                <span class="muted small">{message.duration_ms} ms</span>
              </td>
              <td class="small">
                <Time value={new Date(message.at)} precision="second" />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {messages.length === limit && (
        <p>
          <a href={`/trace?before=${messages.at(-1)?.id}`}>Show older</a>
        </p>
      )}
    </section>
  </ControlRoomPage>
);

/** One message with its request and its response. */
export const MessagePage = ({ room, message }: { room: Room; message: Message }) => (
  <ControlRoomPage
    room={room}
    title={`${message.method} ${message.path.split('?')[0]}`}
    description={`${LANES[message.from]} → ${LANES[message.to]}, ${formatTime(new Date(message.at))}, ${message.duration_ms} ms`}
  >
    <p>
      <a href="/trace" class="back">
        All messages
      </a>
    </p>
    <div class="columns">
      <Part id="request" title="Request" line={`${message.method} ${message.path}`} part={message.request} />
      <Part id="response" title="Response" line={String(message.status ?? 'No response')} part={message.response} />
    </div>
  </ControlRoomPage>
);

type PartProps = { id: string; title: string; line: string; part: Message['request'] };

const Part = ({ id, title, line, part }: PartProps) => (
  <Card id={id} title={title}>
    <div class="stack tight">
      <CodeBlock label={`${title} headers`}>
        {[line, ...Object.entries(part.headers).map(([name, value]) => `${name}: ${value}`)].join('\n')}
      </CodeBlock>
      {part.body && <CodeBlock label={`${title} body`}>{formatBody(part.body)}</CodeBlock>}
    </div>
  </Card>
);
