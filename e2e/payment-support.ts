// What walks of payments do beside the browser: over HTTP, as a shop's server, Stripe's dashboard or a partner's link would.
import type { APIRequestContext, Page } from '@playwright/test';
import { expect } from './fixtures';
import { emulators, eventually, listEvents, newClick, newEmail, signUpByHttp, type TrackingEvent } from './support';

export type Form = Record<string, string>;
export type Session = {
  id: string;
  url: string;
  status: string;
  payment_status: string;
  payment_intent: string | null;
};
export type Attributed = { customer: string; clickId: string; email: string };

/** Stripe's API, as a server calls it: a form makes it a POST. */
export async function callStripe<Body>(request: APIRequestContext, path: string, form?: Form): Promise<Body> {
  const headers = { authorization: `Bearer ${process.env.STRIPE_SECRET_KEY}` };
  const url = emulators(path);
  const response = await (form ? request.post(url, { headers, form }) : request.get(url, { headers }));
  expect(response.ok(), await response.text()).toBe(true);
  return (await response.json()) as Body;
}

export const newSession = (request: APIRequestContext, baseURL: string, form: Form) =>
  callStripe<Session>(request, '/v1/checkout/sessions', {
    'line_items[0][quantity]': '1',
    success_url: `${baseURL}/pricing?paid={CHECKOUT_SESSION_ID}`,
    cancel_url: `${baseURL}/pricing?canceled=1`,
    ...form,
  });

/** The parameters that subscribe to one of the shop's plans. */
export async function subscriptionTo(request: APIRequestContext, plan: string): Promise<Form> {
  const { data } = await callStripe<{ data: { id: string }[] }>(request, `/v1/prices?lookup_keys[]=${plan}`);
  return { mode: 'subscription', 'line_items[0][price]': data[0]?.id ?? '' };
}

/** §2, checkout metadata, under each of these parameters. */
const metadataIn = (names: string[], { customer, clickId }: Attributed): Form => {
  const keys = { svc_click_id: clickId, svc_customer_key: customer, program_id: 'prg_demo' };
  return Object.fromEntries(
    names.flatMap((name) => Object.entries(keys).map(([key, value]) => [`${name}[${key}]`, value])),
  );
};

/** A session for one of the shop's plans that carries §2's metadata wherever renewals need them. */
export async function newAttributedSubscription(
  request: APIRequestContext,
  baseURL: string,
  plan: string,
  buyer: Attributed,
): Promise<Session> {
  return newSession(request, baseURL, {
    ...(await subscriptionTo(request, plan)),
    ...metadataIn(['metadata', 'subscription_data[metadata]'], buyer),
    customer_email: buyer.email,
  });
}

/** A customer with a settled lead, made over HTTP, for walks in which neither sign-up nor account is the point. */
export async function newLead(request: APIRequestContext): Promise<Attributed> {
  const email = newEmail();
  const customer = email.replace('@example.com', '');
  const clickId = await newClick(request, 'ada');
  const headers = { authorization: `Bearer ${process.env.SVC_API_KEY}` };
  const lead = await request.post('/api/v1/track/lead', {
    data: { customer_key: customer, click_id: clickId },
    headers,
  });
  expect(lead.status()).toBe(200);
  return { customer, clickId, email };
}

/** The same with an account, and signed in: the click is in the browser's cookie, and the lead came by Clerk's webhook. */
export async function newCustomer(page: Page, partner: string): Promise<Attributed> {
  const email = newEmail();
  const clickId = await newClick(page.request, partner);
  await page.context().addCookies([{ name: 'svc_click_id', value: clickId, domain: 'localhost', path: '/' }]);
  const customer = await signUpByHttp(page, email, clickId);
  await deliveriesSettle(page.request, email);
  await eventually(async () => (await listEvents(page.request, customer)).map(({ kind }) => kind)).toContain('lead');
  return { customer, clickId, email };
}

/**
 * Starts the signed-in user's checkout, as the pricing page's button does, and returns the hosted page's address: a subscriber who
 * asks for a subscription again gets the billing portal's.
 */
export async function startCheckout(page: Page, plan: string, hosted: 'checkout' | 'portal' = 'checkout') {
  const answer = await page.request.post('/api/checkout', {
    form: { plan },
    headers: { 'sec-fetch-site': 'same-origin' },
    maxRedirects: 0,
  });
  const { location = '' } = answer.headers();
  expect(location).toContain(emulators(`/stripe/${hosted}/`));
  return location;
}

/** Pays a session as the hosted page's form does. */
export async function payByForm(request: APIRequestContext, url: string, form: Form = {}): Promise<void> {
  const answer = await request.post(`${url}/pay`, {
    form: { email: newEmail(), number: '4242424242424242', expiry: '12 / 34', cvc: '123', name: 'Wanda', ...form },
    maxRedirects: 0,
  });
  expect(answer.status()).toBe(303);
  expect(answer.headers().location).not.toContain('/stripe/checkout/');
}

/** Opens the billing portal from the account page that is open. */
export async function openPortal(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Manage billing' }).click();
  await expect(page.getByRole('heading', { name: 'Your billing with Larkdesk' })).toBeVisible();
}

export const salesOf = async (request: APIRequestContext, customer: string): Promise<TrackingEvent[]> =>
  (await listEvents(request, customer)).filter(({ kind }) => kind === 'sale');

type Delivery = {
  id: string;
  url: string;
  provider: string;
  event_type: string;
  status: string;
  body: string;
  attempts: { response_status: number | null; response_body: string | null }[];
};

/** A person's webhooks, oldest first. */
export async function listDeliveries(request: APIRequestContext, email: string): Promise<Delivery[]> {
  const response = await request.get(emulators('/control/deliveries'), { params: { customer: email, limit: 200 } });
  const { data } = (await response.json()) as { data: Delivery[] };
  return data.reverse();
}

/** Waits until every webhook about this person has been answered with success. */
export async function deliveriesSettle(request: APIRequestContext, email: string): Promise<void> {
  const listOpen = async () => (await listDeliveries(request, email)).filter(({ status }) => status !== 'delivered');
  await eventually(listOpen).toEqual([]);
}

/** How this person's webhooks arrive from now on, and what goes wrong at their checkouts. */
export async function setDeliveries(request: APIRequestContext, email: string, change: object): Promise<void> {
  const answer = await request.post(emulators('/control/faults'), { data: { customer: email, ...change } });
  expect(answer.ok()).toBe(true);
}

/** What the tracking service has answered to a person's events of a type, oldest first. */
export async function outcomesOf(request: APIRequestContext, email: string, type: string) {
  const deliveries = await listDeliveries(request, email);
  return deliveries
    .filter(({ url, event_type }) => url.endsWith('/api/v1/webhooks/stripe') && event_type === type)
    .map(
      ({ attempts }) => JSON.parse(attempts.at(-1)?.response_body ?? 'null') as { outcome: string; reason?: string },
    );
}

/** The customer's thread on the dashboard. */
export async function openJourney(page: Page, { clickId }: Attributed) {
  await page.goto(`/dashboard/customers/${clickId}`);
  return page.getByRole('list', { name: 'Journey, oldest first' });
}
