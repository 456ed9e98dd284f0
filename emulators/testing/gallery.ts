// Pages of the emulators in every state, as their own routes render them: an instance without data, and one with customers
// of every kind, failing webhooks and a long trace.
import Stripe from 'stripe';
import { addUser } from '../clerk/testing/add-user';
import { IN_MEMORY } from '../core/database';
import { type Emulator, openEmulator } from '../core/emulator';
import { writeFault } from '../core/faults';
import { type Profile, profileSchema } from '../core/profile';
import { createApp } from '../server';
import { changeAccount } from '../stripe/account';
import { completeSession } from '../stripe/checkout/pay';

type Page = { name: string; html: string };

/** Values that break layouts. */
type OddValues = { long: string; longEmail: string; longName: string; rightToLeft: string; markup: string };

const METADATA = { svc_click_id: 'clk_1', svc_customer_key: 'user_1', program_id: 'prg_demo' };
const URL = 'http://localhost:3001';
/** Not started: it only makes the pages show what needs it. */
const RECORDER = { port: 3000, appPort: 1, servicePath: '/api/v1/', blockedPath: '/api/v1/track/' };

function open(appName: string, profile: Profile): Promise<Emulator> {
  return openEmulator({
    appUrl: 'http://localhost:1', // nothing listens there: every webhook fails
    url: URL,
    directory: IN_MEMORY,
    clerkWebhook: '/webhooks/clerk',
    stripeWebhooks: [{ target: '/webhooks/stripe', variable: 'STRIPE_WEBHOOK_SECRET', events: ['*'] }],
    appName,
    profile,
    recorder: RECORDER,
  });
}

/** An instance, and what requests its pages and its API. */
async function openInstance(appName: string, profile: Profile) {
  const emulator = await open(appName, profile);
  const app = createApp(emulator);
  const page = async (name: string, path: string): Promise<Page> => {
    const html = await (await app.request(path)).text();
    return { name: `emulators/${name}`, html: html.replace(/<script[^>]*><\/script>/g, '') };
  };
  const stripe = new Stripe(emulator.secrets.stripeSecretKey, {
    httpClient: Stripe.createFetchHttpClient(((input: RequestInfo | URL, init?: RequestInit) =>
      app.fetch(new Request(input, init))) as typeof fetch),
    telemetry: false,
  });
  return { emulator, app, page, stripe };
}

type Instance = Awaited<ReturnType<typeof openInstance>>;

/** A checkout session of a subscription. */
async function newSession({ stripe }: Instance, product: string, email: string): Promise<string> {
  const price = await stripe.prices.create({
    product_data: { name: product },
    currency: 'usd',
    unit_amount: 1900,
    recurring: { interval: 'month' },
  });
  const { id } = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer_email: email,
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: 'http://localhost:1/done',
    cancel_url: 'http://localhost:1/',
    metadata: METADATA,
    subscription_data: { metadata: METADATA },
  });
  return id;
}

type Payer = { email: string; name: string; number: string };

const pay = ({ emulator }: Instance, session: string, { email, name, number }: Payer) =>
  changeAccount(emulator, (store) =>
    completeSession(store, session, {
      email,
      name,
      country: undefined,
      card: { number, expMonth: 12, expYear: 2034 },
    }),
  );

/** The customer's billing portal, as a link of the app opens it. */
async function openPortal({ stripe }: Instance, customer: string): Promise<string> {
  const { id: configuration } = await stripe.billingPortal.configurations.create({
    features: {
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      subscription_cancel: { enabled: true, mode: 'at_period_end' },
    },
  });
  const { url } = await stripe.billingPortal.sessions.create({
    customer,
    configuration,
    return_url: 'http://localhost:1/account',
  });
  return url.slice(URL.length);
}

function fillTrace({ emulator }: Instance, messages: number, odd: OddValues): void {
  for (let index = 0; index < messages; index += 1) {
    emulator.trace.record({
      at: new Date(Date.UTC(2026, 10, 21, 12, 0, index)).toISOString(),
      from: index % 2 === 0 ? 'browser' : 'app',
      to: (['app', 'clerk', 'stripe', 'service'] as const)[index % 4] ?? 'app',
      method: 'POST',
      path: index % 5 === 0 ? `/api/${odd.long}?q=${odd.markup}` : '/api/v1/track/lead',
      status: [200, 303, 400, 503, null][index % 5] ?? null,
      duration_ms: index,
      request: { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ svc_click_id: odd.long }) },
      response: { headers: {}, body: odd.rightToLeft },
      visitor: `visitor_${index % 3}`,
    });
  }
}

const ROOMS = ['', 'simulate', 'deliveries', 'users', 'payments', 'tour', 'scenarios', 'nowhere'];
const nameOf = (path: string) => path || 'trace';

/** @param appProfile what the app says about itself */
export async function openPages(appProfile: unknown, odd: OddValues): Promise<Page[]> {
  const profile = profileSchema.parse(appProfile);
  const [plain, full] = await Promise.all([openInstance('Acme', profile), openInstance(odd.longName, profile)]);
  try {
    const empty = await Promise.all(ROOMS.map((path) => plain.page(`${nameOf(path)}/empty`, `/${path}`)));
    for (const [email, number] of [
      ['ada@example.com', '4242424242424242'],
      [odd.longEmail, '4000000000000259'], // disputed
    ] as const) {
      await addUser(full.emulator, email, { svc_click_id: odd.long, name: odd.rightToLeft, note: odd.markup });
      await pay(full, await newSession(full, odd.longName, email), { email, name: odd.rightToLeft, number });
    }
    fillTrace(full, 300, odd);
    await full.emulator.database.query((sql) => writeFault(sql, 'mode', 'duplicated', odd.longEmail));
    const [message] = await full.emulator.trace.list({ limit: 1, search: '/api/v1/track/lead' });
    const [delivery] = await full.emulator.deliveries.list({ limit: 1 });
    const [customer] = (await full.stripe.customers.list({ email: odd.longEmail })).data;
    const [invoice] = (await full.stripe.invoices.list({ customer: customer?.id ?? '' })).data;
    const [session, oddSession] = await Promise.all([
      newSession(plain, 'Acme Studio', 'ada@example.com'),
      newSession(full, odd.rightToLeft, odd.longEmail),
    ]);
    return [
      ...empty,
      ...(await Promise.all(ROOMS.slice(0, 5).map((path) => full.page(`${nameOf(path)}/odd-values`, `/${path}`)))),
      await full.page('trace/message', `/trace/${message?.id}`),
      await full.page('deliveries/failed', `/deliveries/${delivery?.id}`),
      await full.page('deliveries/not-found', '/deliveries/dlv_none'),
      await full.page('ids/followed', `/ids/${customer?.id}`),
      await plain.page('checkout/open', `/stripe/checkout/${session}`),
      await full.page('checkout/odd-values', `/stripe/checkout/${oddSession}`),
      await plain.page('checkout/not-found', '/stripe/checkout/cs_test_none'),
      await full.page('portal/odd-values', await openPortal(full, customer?.id ?? '')),
      await full.page('invoice/odd-values', (invoice?.hosted_invoice_url ?? '').slice(URL.length)),
      await plain.page('portal/not-found', '/stripe/portal/bps_none'),
    ];
  } finally {
    await Promise.all([plain, full].map(({ emulator }) => emulator.close()));
  }
}
