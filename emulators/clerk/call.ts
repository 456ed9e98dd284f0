// One request to Clerk's APIs: read, checked, and handled in one transaction.
import type { Context, Handler, HonoRequest } from 'hono';
import { getCookie } from 'hono/cookie';
import { developmentKeys, type Emulator } from '../core/emulator';
import { findRefusalOf, isSameSecret } from '../core/guard';
import { type Browser, clientJson, createClient, findBrowser, loadBrowser, type SignedIn } from './browser';
import { clientCookie, clientCookieName, clientUatCookies } from './cookies';
import { type ClerkError, clerkErrors } from './errors';
import { type Form, readForm } from './form';
import { allowedOrigins, appOrigin } from './origins';
import { issueSessionToken } from './session-token';
import { type Client, newId, Store } from './store';

export type Call = {
  emulator: Emulator;
  /** Where the APIs are, as browsers see it. */
  clerkUrl: string;
  store: Store;
  request: HonoRequest;
  form: Form;
  /** Unix milliseconds. Clerk's time is the wall clock: its tokens are checked by servers that know no other. */
  now: number;
  /** Whether webhooks were enqueued. */
  hasEvents: boolean;
};

export type BrowserCall = Call & {
  /** The app's origin, as the browser sees it. */
  origin: string;
  /** Null before the browser's first attempt to sign up or in. */
  browser: Browser | null;
  /** Set-Cookie headers of the response. */
  cookies: string[];
};

/** Handles a call. A thrown error rolls back; one whose effects must be kept is returned. */
type Handle<Kind extends Call> = (call: Kind) => Response | Promise<Response>;

export type Endpoints = {
  /** The Frontend API: pages of the app, known by their cookie. */
  browser: (handle: Handle<BrowserCall>) => Handler;
  /** The Backend API: servers, known by the secret key. */
  server: (handle: Handle<Call>) => Handler;
  /** The one route of the Backend API that needs no key: a developer without an account asks for keys there. */
  anyone: (handle: Handle<Call>) => Handler;
};

export const clerkUrlOf = ({ config }: Emulator): string => `${config.url}/clerk`;

export function createEndpoints(emulator: Emulator): Endpoints {
  const change = async ({ req }: Context, handle: Handle<Call>): Promise<Response> => {
    const form = await readForm(req);
    const now = Date.now();
    const outcome = await emulator.database.change(async (sql) => {
      const store = new Store(sql);
      const call: Call = { emulator, clerkUrl: clerkUrlOf(emulator), store, request: req, form, now, hasEvents: false };
      return { response: await handle(call), call };
    });
    if (outcome.call.hasEvents) emulator.deliveries.wake();
    return outcome.response;
  };
  return {
    browser: (handle) => async (context) => {
      const origin = context.req.header('origin');
      if (origin !== undefined && !allowedOrigins(emulator.config).includes(origin)) {
        throw clerkErrors.originInvalid(origin, emulator.config.appUrl);
      }
      const token = getCookie(context, clientCookieName(emulator));
      return change(context, async (call) => {
        const browser = token ? await findBrowser(call.store, token, call.now) : null;
        const cookies: string[] = [];
        const browserCall = Object.assign(call, { origin: appOrigin(emulator.config, origin), browser, cookies });
        const response = await handle(browserCall);
        for (const cookie of cookies) response.headers.append('set-cookie', cookie);
        return response;
      });
    },
    server: (handle) => (context) => {
      const given = context.req.header('authorization') ?? '';
      const keys = [emulator.secrets.clerkSecretKey, developmentKeys(emulator).secretKey];
      if (!keys.some((key) => isSameSecret(given, `Bearer ${key}`))) throw clerkErrors.secretKeyInvalid();
      return change(context, handle);
    },
    anyone: (handle) => (context) => {
      // The response contains the secret key, so other sites are refused, as on the control routes.
      const refusal = findRefusalOf(context.req, emulator.config);
      if (refusal) throw clerkErrors.siteRefused(refusal);
      return change(context, handle);
    },
  };
}

/** The ID in the path. */
export const pathId = ({ request }: Call): string => request.param('id') ?? '';

/** The call's client; a browser that is new gets one, with its cookie. */
export async function ensureClient(call: BrowserCall): Promise<Client> {
  if (call.browser) return call.browser.client;
  const { client, token } = await createClient(call.store, call.now);
  call.cookies.push(clientCookie(call.emulator, token));
  call.browser = { client, signedIn: null, signIn: null, signUp: null };
  return client;
}

/** The browser after a change. */
export async function refresh(call: BrowserCall): Promise<Browser> {
  call.browser = await loadBrowser(call.store, (await ensureClient(call)).id, call.now);
  return call.browser;
}

/** @throws authentication_invalid if the browser is signed out */
export function requireSession({ browser }: BrowserCall): SignedIn & { client: Client } {
  if (!browser?.signedIn) throw clerkErrors.notSignedIn();
  return { ...browser.signedIn, client: browser.client };
}

/** A fresh token for the session of this browser, or null if there is none. */
export async function tokenOf({ emulator, browser, origin, now }: BrowserCall): Promise<string | null> {
  return browser?.signedIn ? issueSessionToken(emulator, browser.signedIn, { origin, now }) : null;
}

/** An object in the envelope of the Frontend API, with the browser's state and the cookie that reports it. */
export async function respond(call: BrowserCall, response: unknown): Promise<Response> {
  const { browser, clerkUrl, now } = call;
  setClientUat(call);
  return json({ response, client: browser && clientJson(browser, { clerkUrl, token: await tokenOf(call), now }) });
}

/** Tells servers since when the browser is signed in. */
export function setClientUat({ emulator, browser, cookies }: BrowserCall): void {
  cookies.push(...clientUatCookies(emulator, browser?.signedIn?.session.created_at ?? null));
}

const NO_STORE = { 'cache-control': 'no-store' };

export const json = (body: unknown, status = 200): Response => Response.json(body, { status, headers: NO_STORE });

export function errorJson({ status, code, message, meta }: ClerkError): Response {
  const errors = [{ code, message, long_message: message, meta }];
  return json({ errors, clerk_trace_id: newId('trace') }, status);
}

export const redirect = (location: string, status: 303 | 307): Response =>
  new Response(null, { status, headers: { location, ...NO_STORE } });
