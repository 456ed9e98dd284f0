import { createHmac, randomUUID } from 'node:crypto';
import { signClerk } from './sign-clerk';

// Calls to an app over HTTP as browsers, servers and providers make them, each on a connection of its own.

type CallResult = { status: number; body: Record<string, unknown>; milliseconds: number };

/** Rejects if there is no response: nothing was acknowledged. */
export async function call(
  url: string,
  init: RequestInit & { headers?: Record<string, string> } = {},
): Promise<CallResult> {
  const started = performance.now();
  const headers = { connection: 'close', ...init.headers };
  const response = await fetch(url, { redirect: 'manual', ...init, headers });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  const body = isJson ? (JSON.parse(text) as Record<string, unknown>) : { text };
  return { status: response.status, body, milliseconds: performance.now() - started };
}

const post = (url: string, body: object, headers: Record<string, string> = {}) =>
  call(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const key = () => ({ authorization: `Bearer ${process.env.SVC_API_KEY}` });

export const newCustomer = () => `user_${randomUUID()}`;

export const click = (app: string) =>
  post(`${app}/api/v1/track/click`, { program_id: 'prg_demo', affiliate_url: 'https://shop.example/?aff=ada' });

export const serverLead = (app: string, customer: string, clickId: unknown) =>
  post(`${app}/api/v1/track/lead`, { customer_key: customer, click_id: clickId }, key());

export const browserLead = (app: string, customer: string, clickId: unknown) =>
  post(`${app}/api/v1/track/lead`, { customer_key: customer, click_id: clickId, program_id: 'prg_demo' });

export const sale = (app: string, customer: string, invoiceId: string, fields: object = {}) =>
  post(
    `${app}/api/v1/track/sale`,
    { customer_key: customer, amount_cents: 1900, transaction_id: invoiceId, ...fields },
    key(),
  );

/** A user.created of Clerk, signed as Clerk does. */
export function clerkWebhook(
  app: string,
  user: { id: string; clickId?: unknown; email?: string },
  messageId = `msg_${randomUUID()}`,
) {
  const body = JSON.stringify({
    type: 'user.created',
    object: 'event',
    data: {
      id: user.id,
      unsafe_metadata: user.clickId === undefined ? {} : { svc_click_id: user.clickId },
      email_addresses: user.email ? [{ email_address: user.email }] : [],
      created_at: Date.now(),
    },
  });
  return call(`${app}/api/webhooks/clerk`, { method: 'POST', body, headers: signClerk(body, { id: messageId }) });
}

export function signStripe(
  body: string,
  secret: string,
  seconds = Math.floor(Date.now() / 1000),
): Record<string, string> {
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return { 'content-type': 'application/json', 'stripe-signature': `t=${seconds},v1=${signature}` };
}
