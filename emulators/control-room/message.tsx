// Everything about one message: what was sent and received, whether its signature holds, the code at both ends.
import type { Delivery } from '../core/deliveries';
import { count, formatBody, formatDuration, formatTime } from '../core/format';
import { laneLabel, type Profile } from '../core/profile';
import type { Message } from '../core/trace';
import { Badge, Callout, CodeBlock, DetailsList, Disclosure } from '../core/ui';
import { toCurl } from './exchange-formats';
import { Status } from './lanes';
import { IdLink, LinkedText, shorten } from './linked';
import type { Source, SourceText } from './sources';

export type ShownSource = Source & { text: SourceText | null };

type MessageProps = {
  message: Message;
  /** The address that it was sent to. */
  url: string;
  profile: Profile;
  sources: readonly ShownSource[];
  /** The delivery of which a webhook is an attempt. */
  delivery: Pick<Delivery, 'id' | 'event_type'> | null;
  back: string;
};

export function MessagePanel({ message, url, profile, sources, delivery, back }: MessageProps) {
  const { method, path, status, to, subjects, cookies = [] } = message;
  const known = [...subjects, ...cookies.map(({ value }) => value)];
  return (
    <article class="stack panel" aria-labelledby="message-title">
      <div class="between panel-head">
        <h2 id="message-title" tabindex={-1}>
          <span class="method">{method}</span> {path.split('?')[0]}
        </h2>
        <a href={back} class="button ghost small" id="close-panel" title="Close (Esc)">
          Close
        </a>
      </div>
      <DetailsList
        items={[
          [
            'Response',
            status === null ? 'No complete response: the connection was closed' : <Status status={status} />,
          ],
          ['From', <Sender message={message} profile={profile} />],
          ['To', laneLabel(profile, to)],
          ['Sent', formatTime(new Date(message.at))],
          ['Took', formatDuration(message.duration_ms)],
          ...(delivery
            ? [['Delivery', <a href={`/deliveries/${delivery.id}`}>{delivery.event_type}</a>] as const]
            : []),
          ...(path.includes('?') ? [['Query', <code>{path.slice(path.indexOf('?') + 1)}</code>] as const] : []),
        ]}
      />
      <Signature message={message} />
      <Sources sources={sources} />
      <Ids message={message} />
      <Part title="Request" part={message.request} known={known} />
      <Part title="Response" part={message.response} known={known} />
      <section class="stack panel-part" aria-labelledby="curl-title">
        <div class="between">
          <h3 id="curl-title">curl</h3>
          <button type="button" class="button secondary small" data-copy="curl" hidden>
            Copy as curl
          </button>
        </div>
        <Disclosure summary="Command. Fill in what is redacted.">
          <div id="curl">
            <CodeBlock label="curl command">{toCurl(message, url)}</CodeBlock>
          </div>
        </Disclosure>
      </section>
    </article>
  );
}

/** The ID of a webhook's event, which every attempt of its delivery has. */
export const eventIdOf = ({ signature, request }: Message): string | undefined =>
  signature ? (request.headers['svix-id'] ?? /"id"\s*:\s*"(evt_\w+)"/.exec(request.body)?.[1]) : undefined;

/**
 * Marks a sender that nothing identifies: no browser, no signature by a known secret and no Authorization header, whose value is not
 * checked.
 */
function Sender({ message: { from, signature, request }, profile }: { message: Message; profile: Profile }) {
  const isProven = from === 'browser' || (signature ? signature.secret !== null : 'authorization' in request.headers);
  return (
    <>
      {laneLabel(profile, from)} {!isProven && <Badge tone="warning">Not verified</Badge>}
    </>
  );
}

/** The signature check that the recorder made when the webhook passed. */
function Signature({ message: { signature } }: Pick<MessageProps, 'message'>) {
  if (!signature) return null;
  const { secret, isOutdated } = signature;
  const scheme = signature.scheme === 'svix' ? 'Clerk (svix)' : 'Stripe';
  if (secret === null) {
    return (
      <Callout tone="danger">
        <p>
          <strong>Signature not verified.</strong> {scheme}: it is not signed with a secret of this run. Either it is
          forged, or the endpoint’s secret differs from the app’s variable.
        </p>
      </Callout>
    );
  }
  return isOutdated ? (
    <Callout tone="danger">
      <p>
        <strong>Signature too old.</strong> {scheme}: it is signed with the secret in <code>{secret}</code>, and its
        timestamp is not within five minutes of its arrival. It was replayed, or a clock is wrong.
      </p>
    </Callout>
  ) : (
    <Callout tone="success">
      <p>
        <strong>Signature verified.</strong> {scheme}, with the secret in <code>{secret}</code>.
      </p>
    </Callout>
  );
}

const Sources = ({ sources }: { sources: readonly ShownSource[] }) =>
  sources.length === 0 ? null : (
    <ul class="sources" aria-label="Source">
      {sources.map(({ role, file, find, text }) => (
        <li>
          <span class="muted">{role}</span>
          <SourceLink file={file} find={find} text={text} />
        </li>
      ))}
    </ul>
  );

/** The place in the code: in a drawer here, and in the editor. */
export const SourceLink = ({ file, find, text }: { file: string; find: string; text: SourceText | null }) =>
  text ? (
    <span class="source-link">
      <a href={`/source?${new URLSearchParams({ file, find })}#line`} data-drawer>
        <code>
          {file}:{text.line}
        </code>
      </a>
      <a class="small" href={`vscode://file${encodeURI(text.absolute)}:${text.line}`}>
        Open in editor
      </a>
    </span>
  ) : (
    <code>{file}</code>
  );

/** The IDs to follow: those of the app by their label, and those of the providers. */
function Ids({ message: { subjects, cookies = [] } }: { message: Message }) {
  const ids = subjects.filter((subject) => !subject.includes('@'));
  if (ids.length === 0) return null;
  const inCookies = new Map(cookies.map(({ value, field }) => [value, field]));
  return (
    <ul class="ids" aria-label="IDs in this message">
      {ids.map((value) => (
        <li>
          <IdLink value={value}>{shorten(value)}</IdLink>
          {inCookies.has(value) && <Badge tone="info">cookie {inCookies.get(value)}</Badge>}
        </li>
      ))}
    </ul>
  );
}

type PartProps = { title: 'Request' | 'Response'; part: Message['request']; known: readonly string[] };

const Part = ({ title, part: { headers, body }, known }: PartProps) => {
  const entries = Object.entries(headers);
  return (
    <section class="stack panel-part" aria-label={title}>
      <h3>{title}</h3>
      {entries.length > 0 && (
        <Disclosure summary={count(entries.length, 'header')}>
          <CodeBlock label={`${title} headers`}>
            <LinkedText text={entries.map(([name, value]) => `${name}: ${value}`).join('\n')} known={known} />
          </CodeBlock>
        </Disclosure>
      )}
      {body ? (
        <CodeBlock label={`${title} body`}>
          <LinkedText text={formatForm(headers['content-type'], body)} known={known} />
        </CodeBlock>
      ) : (
        <p class="muted small">No body was captured.</p>
      )}
    </section>
  );
};

/** A form as one field a line; JSON with line breaks. */
function formatForm(type: string | undefined, body: string): string {
  if (!type?.includes('x-www-form-urlencoded')) return formatBody(body);
  return body
    .split('&')
    .map((field) => {
      try {
        return decodeURIComponent(field.replaceAll('+', ' ')).replace('=', ' = ');
      } catch {
        return field;
      }
    })
    .join('\n');
}
