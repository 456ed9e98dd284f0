// Pages of the emulators in their states, as their own routes render them: an instance without data, and one with customers
// of every kind, failing webhooks, a long trace, scenarios and a tour. Clerk's own components need Clerk's scripts to show them:
// e2e/accessibility.spec.ts looks at the Account Portal.
import Stripe from 'stripe';
import { OAUTH_PROVIDER } from '../clerk/objects/oauth';
import { addUser } from '../clerk/testing/add-user';
import type { Config } from '../core/config';
import { IN_MEMORY } from '../core/database';
import { type Emulator, openEmulator } from '../core/emulator';
import { writeFault } from '../core/faults';
import { type Pattern, type Profile, profileSchema, type Scenario, type ScenarioRow } from '../core/profile';
import type { NewMessage } from '../core/trace';
import { VISITOR_COOKIE } from '../core/trace-http';
import { createApp } from '../server';
import { changeAccount } from '../stripe/account';
import { completeSession } from '../stripe/checkout/pay';
import { enterSession } from '../stripe/checkout/plan';

type Page = { name: string; html: string };

/** Values that break layouts. */
type OddValues = { long: string; longEmail: string; longName: string; rightToLeft: string; markup: string };

const METADATA = { svc_click_id: 'clk_1', svc_customer_key: 'user_1', program_id: 'prg_demo' };
const APP_URL = 'http://localhost:1'; // nothing listens there: every webhook fails
const EMULATORS_URL = 'http://localhost:3001';
const WEBHOOK = { target: '/webhooks/stripe', variable: 'STRIPE_WEBHOOK_SECRET', events: ['*'] };
/** Not started: it only makes the pages show what needs it. */
const RECORDER = { port: 3000, appPort: 1, servicePath: '/api/v1/', blockedPath: '/api/v1/track/' };

type Opened = Pick<Config, 'appName' | 'stripeWebhooks' | 'scenario'> & { profile: Profile };

function open(opened: Opened): Promise<Emulator> {
  return openEmulator({
    appUrl: APP_URL,
    url: EMULATORS_URL,
    directory: IN_MEMORY,
    clerkWebhook: '/webhooks/clerk',
    recorder: RECORDER,
    ...opened,
  });
}

/** The path of an address of the emulators. */
const pathOf = (url: string): string => url.replace(EMULATORS_URL, '');

/** An instance, and what requests its pages, their forms and its API. */
async function openInstance(opened: Opened) {
  const emulator = await open(opened);
  const app = createApp(emulator);
  const page = async (name: string, path: string, init: RequestInit = {}): Promise<Page> => {
    const html = await (await app.request(path, init)).text();
    return { name: `emulators/${name}`, html: html.replace(/<script[^>]*><\/script>/g, '') };
  };
  /** Sends a form of a page. @returns the path that it leads to */
  const submit = async (path: string, fields: Record<string, string>): Promise<string> => {
    const { headers } = await app.request(path, { method: 'POST', body: new URLSearchParams(fields) });
    return pathOf(headers.get('location') ?? '');
  };
  const stripe = new Stripe(emulator.secrets.stripeSecretKey, {
    httpClient: Stripe.createFetchHttpClient(((input: RequestInfo | URL, init?: RequestInit) =>
      app.fetch(new Request(input, init))) as typeof fetch),
    telemetry: false,
  });
  return { emulator, app, page, submit, stripe };
}

type Instance = Awaited<ReturnType<typeof openInstance>>;

const newPrice = ({ stripe }: Instance, product: string) =>
  stripe.prices.create({
    product_data: { name: product },
    currency: 'usd',
    unit_amount: 1900,
    recurring: { interval: 'month' },
  });

type NewSession = { product: string; email: string } & Partial<Stripe.Checkout.SessionCreateParams>;

/** A checkout session of a subscription. */
async function newSession(instance: Instance, { product, email, ...more }: NewSession): Promise<string> {
  const price = await newPrice(instance, product);
  const { id } = await instance.stripe.checkout.sessions.create({
    mode: 'subscription',
    customer_email: email,
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: `${APP_URL}/done`,
    cancel_url: `${APP_URL}/`,
    metadata: METADATA,
    subscription_data: { metadata: METADATA },
    ...more,
  });
  return id;
}

/** All that Checkout can ask for. */
const EVERY_FIELD: Partial<Stripe.Checkout.SessionCreateParams> = {
  allow_promotion_codes: true,
  automatic_tax: { enabled: true },
  billing_address_collection: 'required',
  consent_collection: { terms_of_service: 'required' },
  custom_text: { submit: { message: 'You can cancel at any time.' } },
  phone_number_collection: { enabled: true },
  subscription_data: { trial_period_days: 7, metadata: METADATA },
};

type Payer = { email: string; name: string; number: string };

const pay = ({ emulator }: Instance, session: string, { email, name, number }: Payer) =>
  changeAccount(emulator, async (store) =>
    completeSession(store, await enterSession(store, session), {
      email,
      name,
      country: undefined,
      card: { number, expMonth: 12, expYear: 2034 },
    }),
  );

/** The customer's billing portal, as a link of the app opens it. */
async function openPortal(
  instance: Instance,
  customer: string,
  flow_data?: Stripe.BillingPortal.SessionCreateParams.FlowData,
): Promise<string> {
  const { billingPortal } = instance.stripe;
  const other = await newPrice(instance, 'Acme Studio, yearly');
  const { id: configuration } = await billingPortal.configurations.create({
    features: {
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      subscription_cancel: { enabled: true, mode: 'at_period_end' },
      subscription_update: {
        enabled: true,
        default_allowed_updates: ['price'],
        products: [{ product: String(other.product), prices: [other.id] }],
      },
    },
  });
  const { url } = await billingPortal.sessions.create({
    customer,
    configuration,
    return_url: `${APP_URL}/account`,
    ...(flow_data && { flow_data }),
  });
  return pathOf(url);
}

/** The billing portal and its flows. */
async function portalPages(full: Instance, customer: string): Promise<Page[]> {
  const { page, submit, stripe } = full;
  const [current] = (await stripe.subscriptions.list({ customer })).data;
  const subscription = current?.id ?? '';
  const portal = await openPortal(full, customer);
  const badCard = { number: '4242', expiry: '12 / 34', cvc: '123', name: 'Ada' };
  const flow = async (data: Stripe.BillingPortal.SessionCreateParams.FlowData) =>
    page(`portal/flow-${data.type.replaceAll('_', '-')}`, await openPortal(full, customer, data));
  return [
    await page('portal/odd-values', portal),
    await page('portal/cancel', `${portal}/cancel?subscription=${subscription}`),
    await page('portal/error', await submit(`${portal}/act`, { action: 'replace_card', subscription, ...badCard })),
    await flow({ type: 'payment_method_update' }),
    await flow({ type: 'subscription_cancel', subscription_cancel: { subscription } }),
    await flow({ type: 'subscription_update', subscription_update: { subscription } }),
    await flow({
      type: 'subscription_update_confirm',
      subscription_update_confirm: { subscription, items: [{ id: current?.items.data[0]?.id ?? '', quantity: 2 }] },
    }),
    await page('portal/not-found', '/stripe/portal/bps_none'),
  ];
}

/** The portal of the only subscriber, who cancels. */
async function cancelPages(plain: Instance): Promise<Page[]> {
  const [subscription] = (await plain.stripe.subscriptions.list()).data;
  const portal = await openPortal(plain, String(subscription?.customer));
  const act = (action: string) => plain.submit(`${portal}/act`, { action, subscription: subscription?.id ?? '' });
  return [
    await plain.page('portal/ending', await act('cancel_at_period_end')),
    await plain.page('portal/canceled', await act('cancel_now')),
  ];
}

/** Checkout from the open form to the end. */
async function checkoutPages(plain: Instance, full: Instance, odd: OddValues): Promise<Page[]> {
  const { page, submit, stripe } = plain;
  const ada = { product: 'Acme Studio', email: 'ada@example.com' };
  const payer = { email: ada.email, name: 'Ada Keller' };
  const typed = { name: odd.longName, number: '4242', expiry: '12 / 34', phone: odd.long };
  const [open, asking, refused, confirming, paid, expired] = await Promise.all(
    [{}, EVERY_FIELD, EVERY_FIELD, {}, {}, {}].map((more) => newSession(plain, { ...ada, ...more })),
  );
  const oddSession = await newSession(full, { product: odd.rightToLeft, email: odd.longEmail });
  await pay(plain, confirming ?? '', { ...payer, number: '4000002500003155' });
  await pay(plain, paid ?? '', { ...payer, number: '4242424242424242' });
  await stripe.checkout.sessions.expire(expired ?? '');
  return [
    await page('checkout/open', `/stripe/checkout/${open}`),
    await page('checkout/every-field', `/stripe/checkout/${asking}`),
    await page('checkout/error', await submit(`/stripe/checkout/${refused}/pay`, typed)),
    await page('checkout/3-d-secure', `/stripe/checkout/${confirming}/authenticate`),
    await page('checkout/paid', `/stripe/checkout/${paid}`),
    await page('checkout/expired', `/stripe/checkout/${expired}`),
    await full.page('checkout/odd-values', `/stripe/checkout/${oddSession}`),
    await page('checkout/not-found', '/stripe/checkout/cs_test_none'),
  ];
}

/** The OAuth provider's consent page, which “Continue with …” opens. */
async function consentPages({ app, page }: Instance, odd: OddValues): Promise<Page[]> {
  const started = await app.request('/clerk/v1/client/sign_ins', {
    method: 'POST',
    body: new URLSearchParams({ strategy: OAUTH_PROVIDER.strategy, redirect_url: APP_URL }),
    headers: { origin: APP_URL },
  });
  const { response: signIn } = await started.json();
  const address = new URL(signIn.first_factor_verification.external_verification_redirect_url);
  const fields = { email_address: 'ada', first_name: odd.longName, last_name: odd.rightToLeft, decision: 'allow' };
  return [
    await page('consent/open', address.pathname + address.search),
    await page('consent/error', '/clerk/v1/oauth_callback', {
      method: 'POST',
      body: new URLSearchParams({ ...fields, state: address.searchParams.get('state') ?? '' }),
      headers: { cookie: started.headers.getSetCookie().join('; ') },
    }),
    await page('consent/expired', '/clerk/oauth/authorize?state=oau_none'),
  ];
}

const OUTCOMES: ScenarioRow['outcome'][] = ['survived', 'recovered', 'lost', 'wrong'];

/** Ends in every way a scenario can: the first is still running, the second fails, the third has a result. */
const scenarioOf =
  ({ scenarios }: Profile, odd: OddValues): Scenario =>
  async (name, { report, introduce, formatMoney }) => {
    introduce({ email: odd.longEmail, id: odd.long });
    for (const step of ['Arrives through the link of ada', `Signs up as ${odd.longEmail}`]) report(step);
    if (name === scenarios[0]?.name) return new Promise(() => {});
    if (name === scenarios[1]?.name) throw new Error(`The app responded with 503 to ${odd.long}.`);
    const after = formatMoney(1900, 'usd');
    return OUTCOMES.map((outcome) => ({ stage: 'Renewal', during: 'Nothing recorded', after, outcome }));
  };

/** @param full with the visitor of the scenarios */
async function scenarioPages({ emulator, page, submit }: Instance): Promise<Page[]> {
  const [running, failed, complete, notRun] = emulator.config.profile.scenarios.map(({ name }) => name);
  for (const name of [running, failed, complete]) await submit('/actions/scenarios', { name: name ?? '' });
  return [
    await page('scenarios/run', '/scenarios'),
    await page('scenario/not-run', `/scenarios/${notRun}`),
    await page('scenario/running', `/scenarios/${running}`),
    await page('scenario/failed', `/scenarios/${failed}`),
    await page('scenario/complete', `/scenarios/${complete}`),
  ];
}

function record({ emulator }: Instance, message: Partial<NewMessage>): void {
  emulator.trace.record({
    at: '2026-11-21T12:00:00.000Z',
    from: 'browser',
    to: 'app',
    method: 'POST',
    path: '/',
    status: 200,
    duration_ms: 1,
    request: { headers: {}, body: '' },
    response: { headers: {}, body: '' },
    ...message,
  });
}

/** The tour of a visitor who has skipped a step and has a remark, and of one who has done it all. */
async function tourPages(instance: Instance): Promise<Page[]> {
  const { steps = [], remarks = [] } = instance.emulator.config.profile.tour ?? {};
  const show = (state: string, done: Pattern[][]) => {
    for (const [{ request = '', response = '', path = '/', ...pattern } = {}] of done) {
      record(instance, {
        ...(pattern as Partial<NewMessage>),
        path: path.replace('*', ''),
        request: { headers: {}, body: request },
        response: { headers: {}, body: response },
        visitor: state,
      });
    }
    return instance.page(`tour/${state}`, '/tour', { headers: { cookie: `${VISITOR_COOKIE}=${state}` } });
  };
  const all = steps.map(({ done }) => done);
  return [
    await show('step-missed', [
      ...all.filter((_, index) => index === 0 || index === 2),
      ...remarks.slice(2, 3).map(({ when }) => when),
    ]),
    await show('finished', all),
  ];
}

function fillTrace(instance: Instance, messages: number, odd: OddValues): void {
  for (let index = 0; index < messages; index += 1) {
    record(instance, {
      at: new Date(Date.UTC(2026, 10, 21, 12, 0, index)).toISOString(),
      from: index % 2 === 0 ? 'browser' : 'app',
      to: (['app', 'clerk', 'stripe', 'service'] as const)[index % 4] ?? 'app',
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
  const [plain, full] = await Promise.all([
    openInstance({ appName: 'Acme', profile, stripeWebhooks: [] }),
    openInstance({ appName: odd.longName, profile, stripeWebhooks: [WEBHOOK], scenario: scenarioOf(profile, odd) }),
  ]);
  try {
    const empty = await Promise.all(ROOMS.map((path) => plain.page(`${nameOf(path)}/empty`, `/${path}`)));
    for (const [email, number] of [
      ['ada@example.com', '4242424242424242'],
      [odd.longEmail, '4000000000000259'], // disputed
    ] as const) {
      await addUser(full.emulator, email, { svc_click_id: odd.long, name: odd.rightToLeft, note: odd.markup });
      await pay(full, await newSession(full, { product: odd.longName, email }), {
        email,
        name: odd.rightToLeft,
        number,
      });
    }
    fillTrace(full, 300, odd);
    await full.emulator.database.query((sql) => writeFault(sql, 'mode', 'duplicated', odd.longEmail));
    const [message] = await full.emulator.trace.list({ limit: 1, search: '/api/v1/track/lead' });
    const [delivery] = await full.emulator.deliveries.list({ limit: 1 });
    const [customer] = (await full.stripe.customers.list({ email: odd.longEmail })).data;
    const id = customer?.id ?? '';
    const [invoice] = (await full.stripe.invoices.list({ customer: id })).data;
    return [
      ...empty,
      ...(await Promise.all(ROOMS.slice(0, 5).map((path) => full.page(`${nameOf(path)}/odd-values`, `/${path}`)))),
      await full.page('trace/no-match', '/?q=none'),
      ...(await Promise.all(
        ROOMS.slice(2, 5).map((path) => full.page(`${nameOf(path)}/no-match`, `/${path}?customer=none@example.com`)),
      )),
      await full.page('simulate/odd-customer', `/simulate?${new URLSearchParams({ customer: odd.longEmail })}`),
      await full.page('trace/refused', await full.submit('/actions/refund', { charge: odd.long })),
      await full.page('trace/message', `/trace/${message?.id}`),
      await full.page('deliveries/failed', `/deliveries/${delivery?.id}`),
      await full.page('deliveries/not-found', '/deliveries/dlv_none'),
      await full.page('ids/followed', `/ids/${id}`),
      await full.page('source/line', '/source?file=scripts/gallery/odd-values.mjs&find=longEmail'),
      ...(await scenarioPages(full)),
      ...(await tourPages(plain)),
      ...(await checkoutPages(plain, full, odd)),
      await full.page('invoice/odd-values', pathOf(invoice?.hosted_invoice_url ?? '')),
      ...(await portalPages(full, id)),
      ...(await cancelPages(plain)),
      ...(await consentPages(plain, odd)),
    ];
  } finally {
    await Promise.all([plain, full].map(({ emulator }) => emulator.close()));
  }
}
