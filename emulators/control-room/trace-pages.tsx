// The routes of the trace: the list, one message, one ID, a file of the project, and the export.
import { type Context, Hono } from 'hono';
import type { Emulator } from '../core/emulator';
import type { Message } from '../core/trace';
import { toHar } from './exchange-formats';
import { listPlaces } from './id-places';
import { IdPage } from './ids';
import { ControlRoomPage } from './layout';
import { eventIdOf, MessagePanel, type ShownSource } from './message';
import { readCarriers, readObject } from './read';
import type { Frame, Room } from './room';
import { findSources, listRoutes, readSource, type SourceText } from './sources';
import { backTo, TracePage, type TraceView } from './trace';

const LISTED = 200;
const MOST_EXPORTED = 2_000;
const OF_ONE_ID = 200;

const viewOf = (c: Context): TraceView => {
  const before = Math.trunc(Number(c.req.query('before')));
  return {
    visitor: c.req.query('visitor') ?? '',
    search: (c.req.query('q') ?? '').trim(),
    isWhole: c.req.query('all') === '1',
    before: before > 0 && Number.isSafeInteger(before) ? before : null,
  };
};

export function tracePages(emulator: Emulator, { roomOf, missing }: Frame): Hono {
  const { config, trace, deliveries } = emulator;
  const { profile } = config;
  const { root } = profile;
  const routes = listRoutes(root);
  const app = new Hono();

  const filterOf = ({ visitor, search, isWhole, before }: TraceView) => ({
    visitor,
    search,
    isWhole,
    ...(before && { before }),
  });
  const urlOf = ({ to, path }: Message): string =>
    new URL((to === 'clerk' || to === 'stripe' ? config.url : config.appUrl) + path).href; // a path may begin with two slashes
  const sourcesOf = (message: Message): Promise<ShownSource[]> =>
    Promise.all(
      findSources(message, profile, routes).map(async (source) => ({
        ...source,
        text: await readSource(root, source),
      })),
    );

  const list = async (c: Context, message: Message | null) => {
    const view = viewOf(c);
    const [room, messages, visitors] = await Promise.all([
      roomOf(c),
      trace.list({ limit: LISTED, ...filterOf(view) }),
      trace.listVisitors(),
    ]);
    const shown = { room, view, messages, visitors, limit: LISTED };
    if (!message) return c.html(<TracePage {...shown} />);
    const event = eventIdOf(message);
    const [sources, delivery] = await Promise.all([sourcesOf(message), event ? deliveries.find(event) : null]);
    const panel = { message, url: urlOf(message), profile, sources, delivery, back: backTo(view) };
    return c.html(
      <TracePage {...shown} selected={message}>
        <MessagePanel {...panel} />
      </TracePage>,
    );
  };

  app.get('/', (c) => list(c, null));
  app.get('/trace', (c) => c.redirect('/', 301));
  app.get('/trace/:id{[0-9]+}', async (c) => {
    const id = Number(c.req.param('id'));
    const message = Number.isSafeInteger(id) ? await trace.find(id) : null;
    return message ? list(c, message) : missing(c);
  });

  app.get('/trace.har', async (c) => {
    const messages = await trace.list({ limit: MOST_EXPORTED, ...filterOf(viewOf(c)) });
    c.header('content-disposition', 'attachment; filename="trace.har"');
    return c.json(toHar(messages.reverse(), urlOf));
  });

  app.get('/ids/:id', async (c) => {
    const id = c.req.param('id');
    const [object, objects, newest, sent] = await Promise.all([
      readObject(emulator, id),
      readCarriers(emulator, id),
      trace.list({ limit: OF_ONE_ID, search: id }),
      deliveries.list({ limit: 20, mentions: id }),
    ]);
    const messages = newest.reverse();
    const places = listPlaces(id, { objects, messages, profile });
    if (!object && messages.length === 0 && sent.length === 0) return missing(c);
    return c.html(
      <IdPage room={await roomOf(c)} id={id} object={object} places={places} messages={messages} deliveries={sent} />,
    );
  });

  app.get('/source', async (c) => {
    const { file = '', find = '' } = c.req.query();
    const source = await readSource(root, { file, find });
    return source ? c.html(<SourcePage room={await roomOf(c)} source={source} />) : missing(c);
  });
  return app;
}

/** A file of the project with the line in question marked. The browser's script shows the same in a drawer. */
const SourcePage = ({ room, source }: { room: Room; source: SourceText }) => (
  <ControlRoomPage room={room} title={source.file} description={`Line ${source.line}`} hasFilter={false}>
    <section class="card source" aria-label="Source" id="source">
      <p class="small">
        <a href={`vscode://file${encodeURI(source.absolute)}:${source.line}`}>Open in editor</a>
      </p>
      <section class="code-block" aria-label={`Source of ${source.file}`} tabindex={0}>
        <ol>
          {source.lines.map((line, index) => (
            <li
              class={index + 1 === source.line ? 'marked' : undefined}
              id={index + 1 === source.line ? 'line' : undefined}
            >
              <code>{line || ' '}</code>
            </li>
          ))}
        </ol>
      </section>
    </section>
  </ControlRoomPage>
);
