// The control routes, for scripts and tests: time, deliveries, faults and state. Errors are `{error, code}`.
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { Emulator } from '../core/emulator';
import { DELIVERY_MODES, type FaultName, listFaults } from '../core/faults';
import { describeError } from '../core/format';
import { guard } from '../core/guard';
import { DirectoryUnusableError } from '../core/lock';
import { setFaults } from '../core/set-faults';
import { BLOCKER_COOKIE } from '../core/trace-http';
import { advanceClock, TooFarError } from '../stripe/index';
import type { ScenarioRuns } from './scenario-runs';
import { importState, resetCustomer, resetEverything } from './state';
import { streamChanges, streamQuery } from './stream';

const SUCCESS = { success: true } as const;

/** An email address; Stripe's own ID of a customer is enough for the clock. */
const customer = z.string().trim().min(1).max(320).optional();

const clockChange = z.union([
  z.strictObject({ advance_seconds: z.int().min(0), customer }),
  z.strictObject({ advance_to: z.union([z.literal('next'), z.int(), z.iso.datetime({ offset: true })]), customer }),
  z.strictObject({ to_next_renewal: z.literal(true), customer }),
  z.strictObject({ months: z.int().min(1), customer }),
]);

const listQuery = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .catch(50)
    .transform((limit) => Math.min(limit, 500)),
  before: z.coerce.number().int().positive().optional().catch(undefined),
  customer: customer.catch(undefined),
  visitor: z.string().optional(),
});

export function controlRoutes(emulator: Emulator, runs: ScenarioRuns): Hono {
  const { config, database, deliveries, trace } = emulator;
  const app = new Hono();
  app.use(guard(config));

  app.post('/clock', async (c) => {
    const change = await readBody(c, clockChange, CLOCK_HELP);
    if (change instanceof Response) return change;
    const result = await advanceClock(emulator, change);
    return result
      ? c.json(result)
      : fail(c, 404, 'unknown_customer', 'There is no such customer, or nothing is scheduled.');
  });

  app.get('/deliveries', async (c) => {
    const { limit, customer } = listQuery.parse(c.req.query());
    return c.json({ data: await deliveries.list({ limit, customer }) });
  });
  app.post('/deliveries', async (c) => {
    const change = await readBody(c, deliveryChange, `mode is one of ${DELIVERY_MODES.join(', ')}.`);
    if (change instanceof Response) return change;
    const { customer, ...faults } = change;
    await setFaults(emulator, faults, customer);
    return c.json(SUCCESS);
  });
  app.post('/deliveries/:id/redeliver', async (c) =>
    (await deliveries.redeliver(c.req.param('id')))
      ? c.json(SUCCESS)
      : fail(c, 404, 'unknown_delivery', 'There is no such delivery.'),
  );

  app.get('/faults', async (c) => c.json({ data: await database.query(listFaults) }));
  app.post('/faults', async (c) => {
    const change = await readBody(c, faultChange, 'Name a fault with its value, such as {"outage": true}.');
    if (change instanceof Response) return change;
    const { customer, tracker_blocked: isBlocked, ...faults } = change;
    await setFaults(emulator, faults, customer);
    if (isBlocked !== undefined) c.header('set-cookie', blockerCookie(isBlocked));
    return c.json(SUCCESS);
  });

  app.post('/reset', async (c) => {
    const change = await readBody(c, z.strictObject({ customer }), 'Send {} for everything, or a customer.');
    if (change instanceof Response) return change;
    if (change.customer) return c.json({ ...SUCCESS, objects: await resetCustomer(emulator, change.customer) });
    await resetEverything(emulator);
    return c.json(SUCCESS);
  });

  app.get('/export', async () => {
    const headers = {
      'content-type': 'application/gzip',
      'content-disposition': 'attachment; filename="emulators.tar.gz"',
      'cache-control': 'no-store',
    };
    return new Response(await database.dump(), { headers });
  });
  app.post('/import', async (c) => {
    const file = new Blob([await c.req.arrayBuffer()]);
    try {
      await importState(emulator, file);
    } catch (error) {
      if (error instanceof DirectoryUnusableError) return fail(c, 507, 'directory_unusable', error.message);
      return fail(c, 400, 'invalid_state', `Nothing was imported: ${describeError(error)}`);
    }
    return c.json(SUCCESS);
  });

  app.get('/messages', async (c) => {
    const { limit, before, visitor } = listQuery.parse(c.req.query());
    return c.json({ data: await trace.list({ limit, ...(before && { before }), ...(visitor && { visitor }) }) });
  });
  app.get('/scenarios/:name', (c) => {
    const run = runs.find(c.req.param('name'));
    return run ? c.json(run) : fail(c, 404, 'unknown_run', 'This scenario has not run yet.');
  });
  app.get('/stream', (c) => streamChanges(c, emulator, runs, streamQuery.parse(c.req.query())));

  app.all('*', (c) => fail(c, 404, 'unknown_route', `There is no control route ${c.req.method} ${c.req.path}.`));
  app.onError((error, c) => {
    if (error instanceof TooFarError) return fail(c, 400, 'invalid_body', error.message);
    console.error('A control route failed.', error);
    return fail(c, 500, 'internal', error.message);
  });
  return app;
}

const faultFields = {
  mode: z.enum(DELIVERY_MODES).nullable(),
  delay_seconds: z.int().min(0).max(3600).nullable(),
  drop_subscription_metadata: z.boolean().nullable(),
  outage: z.boolean().nullable(),
} satisfies Record<FaultName, z.ZodType>;

/** What POST /control/faults takes: some faults, for everyone or for one customer (an email address). */
const faultChange = z.strictObject(faultFields).partial().extend({
  /** For the browser that sends the request, whatever the customer. */
  tracker_blocked: z.boolean().optional(),
  customer,
});

/** What POST /control/deliveries takes. */
const deliveryChange = faultChange.pick({ mode: true, delay_seconds: true, customer: true });

const CLOCK_HELP = 'Send one of advance_seconds, advance_to, to_next_renewal and months.';

/** For this browser alone: the recorder looks for the cookie, which both origins share because cookies ignore ports. */
export const blockerCookie = (isOn: boolean): string =>
  `${BLOCKER_COOKIE}=${isOn ? 'on' : ''}; Path=/; HttpOnly; SameSite=Lax${isOn ? '' : '; Max-Age=0'}`;

const fail = (c: Context, status: 400 | 404 | 500 | 507, code: string, error: string): Response =>
  c.json({ error, code }, status);

/** The JSON body, or the 400 that says what is wrong with it. An empty body counts as {}. */
async function readBody<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
  help: string,
): Promise<z.output<Schema> | Response> {
  const text = await c.req.text();
  const parsed = schema.safeParse(text.trim() === '' ? {} : parseJson(text));
  if (parsed.success) return parsed.data;
  const { path = [], message = '' } = parsed.error.issues[0] ?? {};
  return fail(c, 400, 'invalid_body', `${help} ${path.length > 0 ? `${path.join('.')}: ` : ''}${message}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
