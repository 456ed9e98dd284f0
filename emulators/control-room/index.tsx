// The control room: pages over the state of both providers. All of it works without JavaScript.
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { findAsset } from '../core/assets';
import type { Emulator } from '../core/emulator';
import { guard } from '../core/guard';
import { pageHeaders } from '../core/page';
import { BLOCKER_COOKIE, readCookie } from '../core/trace-http';
import { LinkButton } from '../core/ui';
import { actionRoutes, Notices } from './actions';
import { DeliveriesPage, DeliveryPage } from './deliveries';
import { demonstrationPages } from './demonstration-pages';
import { ControlRoomPage, isPresent } from './layout';
import { PaymentsPage, UsersPage } from './people';
import { countEvidence, readPayments, readSurroundings, readUsers } from './read';
import type { Room } from './room';
import type { ScenarioRuns } from './scenario-runs';
import { SimulatePage } from './simulate';
import { versionOf } from './stream';
import { tracePages } from './trace-pages';

const LISTED = 50;

export function controlRoom(emulator: Emulator, runs: ScenarioRuns): Hono {
  const { config, deliveries } = emulator;
  const notices = new Notices();
  const app = new Hono();

  app.get('/assets/:name', (c) => {
    const name = c.req.param('name');
    const content = findAsset(name);
    if (!content) return c.notFound();
    const type = name.endsWith('.css') ? 'text/css' : 'text/javascript';
    return c.body(content, 200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache' });
  });

  app.use(pageHeaders, guard(config));
  app.route('/actions', actionRoutes(emulator, notices, runs));

  // Read first: the page's stream reports what happens while the page is read.
  const takeVersion: MiddlewareHandler = (c, next) => {
    c.set('version', versionOf(emulator, runs));
    return next();
  };
  app.use(takeVersion);
  const roomOf = async (c: Context): Promise<Room> => {
    const customer = (c.req.query('customer') ?? '').trim().toLowerCase();
    return {
      ...(await readSurroundings(emulator, customer)),
      emulator,
      path: c.req.path,
      version: c.get('version'),
      customer,
      isTrackerBlocked: readCookie(c.req.header('cookie'), BLOCKER_COOKIE) === 'on',
      notice: notices.find(c.req.query('notice')),
    };
  };
  const missing = async (c: Context) =>
    c.html(
      <ControlRoomPage
        room={await roomOf(c)}
        title="Page not found"
        description="There is no page at this URL. A reset removes messages, deliveries and objects."
        hasFilter={false}
        stream={{ events: 'control' }}
      >
        <p>
          <LinkButton href="/">Open the trace</LinkButton>
        </p>
      </ControlRoomPage>,
      404,
    );
  for (const section of ['/deliveries', '/users', '/payments']) {
    if (!isPresent(section, config)) app.get(`${section}/*`, missing);
  }
  const listOf = ({ customer }: Room, before?: string) =>
    deliveries.list({ limit: LISTED, before, ...(customer && { customer }) });

  app.get('/simulate', async (c) => {
    const room = await roomOf(c);
    const [deliveries, counted] = await Promise.all([listOf(room), countEvidence(emulator, room.customer)]);
    return c.html(<SimulatePage room={room} seen={{ ...counted, deliveries }} />);
  });

  app.get('/deliveries', async (c) => {
    const room = await roomOf(c);
    const before = c.req.query('before');
    const listed = await listOf(room, before || undefined);
    const isFiltered = Boolean(room.customer || before);
    return c.html(<DeliveriesPage room={room} deliveries={listed} limit={LISTED} isFiltered={isFiltered} />);
  });
  app.get('/deliveries/:id', async (c) => {
    const delivery = await deliveries.find(c.req.param('id'));
    if (!delivery) return missing(c);
    const room = await roomOf(c);
    return c.html(<DeliveryPage room={room} delivery={delivery} deliveries={await listOf(room)} />);
  });

  app.get('/users', async (c) => {
    const room = await roomOf(c);
    return c.html(<UsersPage room={room} users={await readUsers(emulator, room.customer)} />);
  });
  app.get('/payments', async (c) => {
    const room = await roomOf(c);
    return c.html(<PaymentsPage room={room} payments={await readPayments(emulator, room.customer)} />);
  });

  app.route('/', tracePages(emulator, { roomOf, missing }));
  app.route('/', demonstrationPages(emulator, runs, { roomOf, missing }));

  app.get('*', missing);
  return app;
}
