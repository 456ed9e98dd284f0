// The other parties of a walk: the tracking service, Clerk and Stripe (the emulators), and a browser.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import { ensureBrowser, launchOptions } from '../chromium.mjs';
import { IN_MEMORY, startDatabase } from '../database/start.mjs';
import { forkEmulators } from '../emulators.mjs';
import { freePort } from '../ports.mjs';
import { migrate } from '../prepare-data.mjs';
import { spawnNode, superviseChild } from '../programs.mjs';

/** @typedef {import('../local-env.mjs').Environment} Environment */
/** @typedef {{ kind: string, click_id?: string, partner_code?: string, amount_cents?: number }} TrackingEvent */

const PROGRAM_ID = 'prg_copy';
const SERVICE = ['--import', 'tsx', '--conditions=react-server', 'scripts/copy/service.ts'];

/** Starts them for an app that will be at `appUrl`. @param {string} appUrl @param {Environment} base */
export async function startParties(appUrl, base) {
  await ensureBrowser();
  const [servicePort, emulatorsPort] = [await freePort('localhost'), await freePort('localhost')];
  const serviceUrl = `http://localhost:${servicePort}`;
  const database = await startDatabase(IN_MEMORY);
  const emulators = await forkEmulators(
    [
      ...['start', '--with-parent', '--app', appUrl, '--port', String(emulatorsPort), '--data', IN_MEMORY],
      ...['--name', 'Acme', '--sign-up', '/sign-up', '--stripe-webhook', '/api/webhooks/stripe=STRIPE_WEBHOOK_SECRET'],
      ...['--stripe-webhook', `${serviceUrl}/api/v1/webhooks/stripe=SVC_STRIPE_WEBHOOK_SECRET`],
    ],
    base,
  );
  const { SVC_STRIPE_WEBHOOK_SECRET, ...providers } = emulators.variables;
  const apiKey = `svc_sk_${randomBytes(24).toString('base64url')}`;
  const env = { ...base, DATABASE_URL: database.url, SVC_STRIPE_WEBHOOK_SECRET, SVC_API_KEY: apiKey };
  await migrate(env);

  const startService = async () => {
    const child = spawnNode([...SERVICE, String(servicePort), PROGRAM_ID], env);
    const running = superviseChild(child);
    await Promise.race([once(child, 'message'), running.ended.then((how) => assert.fail(`The service ${how}.`))]);
    return running;
  };
  let service = await startService();
  const browser = await chromium.launch(launchOptions());

  const askEmulators = async (/** @type {string} */ path, /** @type {RequestInit} */ init = {}) => {
    const response = await fetch(providers.EMULATORS_URL + path, init);
    assert.ok(response.ok, `${path} responded ${response.status}: ${await response.clone().text()}`);
    return response.json();
  };
  return {
    browser,
    /** What the emulators tell the app. */
    providers,
    /** What the service's dashboard tells the app. */
    program: { NEXT_PUBLIC_SVC_PROGRAM_ID: PROGRAM_ID, NEXT_PUBLIC_SVC_BASE_URL: serviceUrl, SVC_API_KEY: apiKey },
    stopService: () => service.stop(),
    async resumeService() {
      service = await startService();
    },
    /** The customer's events at the service, oldest first. @param {string} customer @returns {Promise<TrackingEvent[]>} */
    async readEvents(customer) {
      const url = `${serviceUrl}/api/v1/events?limit=100&customer=${customer}`;
      for (;;) {
        const response = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } });
        if (response.status !== 503) return (await response.json()).data.reverse();
        await delay(200); // a service that is busy; the walk has a limit of time
      }
    },
    /** The emulators' control routes. @param {string} path @param {object} [body] */
    control: (path, body) =>
      askEmulators(`/control/${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      }),
    /** Stripe's API. @param {'GET' | 'POST' | 'DELETE'} method @param {string} path @param {Record<string, string>} [form] */
    stripe: (method, path, form) =>
      askEmulators(`/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${providers.STRIPE_SECRET_KEY}` },
        ...(form && { body: new URLSearchParams(form) }),
      }),
    async stop() {
      await browser.close();
      await Promise.all([service.stop(), emulators.stop()]);
      await database.stop();
    },
  };
}

/**
 * Asks until the answer is as it should be.
 * @template Value
 * @param {string} what @param {() => Promise<Value>} read @param {(value: Value) => boolean} isDone @param {number} [seconds]
 * @returns {Promise<Value>}
 */
export async function until(what, read, isDone, seconds = 60) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const value = await read();
    if (isDone(value)) return value;
    if (Date.now() > end) assert.fail(`${what}: still ${JSON.stringify(value)} after ${seconds} s`);
    await delay(100);
  }
}
