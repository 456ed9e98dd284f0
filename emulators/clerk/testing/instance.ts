// A separate instance for a test file, served over HTTP, with browsers that send requests as clerk-js does.
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createClerkClient } from '@clerk/backend';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { afterAll, beforeAll } from 'vitest';
import type { Config } from '../../core/config';
import type { Delivery } from '../../core/deliveries';
import { type Emulator, openEmulator } from '../../core/emulator';
import { giveBackDatabase, takeDatabase } from '../../core/testing/spare-database';
import { clerkApp } from '../index';

/** The app of the tests. Nothing listens on its port, so no webhook arrives there. */
export const APP = 'http://localhost:9';
export const PASSWORD = 'correct horse 42';

// biome-ignore lint/suspicious/noExplicitAny: tests read deep into JSON that they check field by field
type Json = any;

export type Reply = { status: number; body: Json; headers: Headers };

/** An address that no other test uses. */
export const newAddress = (tag = '') => `t${randomBytes(8).toString('hex')}${tag}@example.com`;

/** Serves an instance for as long as the tests of this file run. */
export function useInstance(changes: Partial<Config> = {}): Instance {
  const instance = new Instance();
  beforeAll(() => instance.start(changes));
  afterAll(() => instance.stop());
  return instance;
}

export class Instance {
  private opened: { emulator: Emulator; stop: () => Promise<void> } | undefined;

  get emulator(): Emulator {
    if (!this.opened) throw new Error('The instance has not started.');
    return this.opened.emulator;
  }

  get url(): string {
    return `${this.emulator.config.url}/clerk`;
  }

  /** Clerk's own SDK for servers. */
  get sdk() {
    const { secrets, publishableKey } = this.emulator;
    return createClerkClient({ apiUrl: this.url, secretKey: secrets.clerkSecretKey, publishableKey });
  }

  async start(changes: Partial<Config>): Promise<void> {
    const root = new Hono();
    const server = serve({ fetch: (request) => root.fetch(request), hostname: 'localhost', port: 0 });
    await new Promise((resolve) => server.once('listening', resolve));
    const database = await takeDatabase();
    const config: Config = {
      appUrl: APP,
      url: `http://localhost:${(server.address() as AddressInfo).port}`,
      directory: 'memory://',
      clerkWebhook: '/api/webhooks/clerk',
      stripeWebhooks: [],
      appName: 'Test app',
      ...changes,
    };
    const emulator = await openEmulator(config, { database });
    root.route('/clerk', clerkApp(emulator));
    const stop = async () => {
      await new Promise((resolve) => server.close(resolve));
      await emulator.close();
      giveBackDatabase(database);
    };
    this.opened = { emulator, stop };
  }

  async stop(): Promise<void> {
    await this.opened?.stop();
  }

  /** A request with the secret key. */
  async backend(method: string, path: string, body?: object): Promise<Reply> {
    const authorization = `Bearer ${this.emulator.secrets.clerkSecretKey}`;
    return toReply(
      await fetch(this.url + path, {
        method,
        headers: { authorization, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
  }

  /** The events that were sent about this address, oldest first. */
  async events(customer: string): Promise<Json[]> {
    const deliveries: Delivery[] = await this.emulator.deliveries.list({ customer });
    return deliveries.reverse().map(({ body }) => JSON.parse(body));
  }

  /** A browser without cookies. */
  openBrowser(): Browser {
    return new Browser(this.url);
  }

  /** A new user, signed in, in a browser of their own. */
  async signUpUser(email: string, fields: Record<string, string> = {}) {
    const browser = this.openBrowser();
    const reply = await browser.post('/v1/client/sign_ups', { email_address: email, password: PASSWORD, ...fields });
    const { created_user_id: userId, created_session_id: sessionId } = reply.body.response;
    return { browser, userId: String(userId), sessionId: String(sessionId) };
  }
}

/** Keeps cookies, and sends requests as clerk-js does: every verb other than GET as a POST. */
export class Browser {
  readonly cookies = new Map<string, string>();

  constructor(private readonly url: string) {}

  get = (path: string) => this.call('GET', path);
  post = (path: string, fields?: Record<string, string>) => this.call('POST', path, fields);
  patch = (path: string, fields?: Record<string, string>) => this.call('PATCH', path, fields);
  remove = (path: string) => this.call('DELETE', path);

  /** The cookies as a request sends them. */
  get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  private async call(method: string, path: string, fields: Record<string, string> = {}): Promise<Reply> {
    const isGet = method === 'GET';
    const url = new URL(this.url + path);
    if (!isGet && method !== 'POST') url.searchParams.set('_method', method);
    const response = await fetch(url, {
      method: isGet ? 'GET' : 'POST',
      redirect: 'manual',
      headers: { origin: APP, cookie: this.cookieHeader },
      ...(!isGet && { body: new URLSearchParams(fields) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      if (line.includes('Max-Age=0')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return toReply(response);
  }
}

async function toReply(response: Response): Promise<Reply> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
}
