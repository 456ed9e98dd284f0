// npm run test:real-keys: builds on keys of the real shape and starts it as docs/going-live.md says, without reaching Clerk or
// Stripe: the policy names Clerk's host, sign-in leads to Clerk, webhooks verify. Then the same with a tracking service of
// another company, up to the lead.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import Stripe from 'stripe';
import { Webhook } from 'svix';
import { FOREIGN_PROGRAM, startContractOnlyService } from './contract-only-service.mjs';
import { IN_MEMORY, startDatabase } from './database/start.mjs';
import { freePort } from './ports.mjs';
import { migrate } from './prepare-data.mjs';
import { runNode, runScript, spawnNode, superviseChild } from './programs.mjs';
import { CLERK_HOST, realShape, secrets } from './real-shape.mjs';
import { untilServed } from './stack.mjs';

const PLAYWRIGHT = 'node_modules/@playwright/test/cli.js';
const port = await freePort('localhost');
const appUrl = `http://localhost:${port}`;
const variables = { ...realShape, APP_URL: appUrl, PORT: String(port) };

/** @param {string} path @param {RequestInit} [init] */
const ask = (path, init) => fetch(appUrl + path, { redirect: 'manual', ...init });

/** @param {string} path @param {string} body @param {Record<string, string>} headers */
const deliver = (path, body, headers) => ask(path, { method: 'POST', body, headers });

const stripe = new Stripe('sk_test_unused', { telemetry: false });
/** @param {string} payload @param {string} secret */
const stripeSigned = (payload, secret) => ({
  'stripe-signature': stripe.webhooks.generateTestHeaderString({ payload, secret }),
});
/** @param {string} body @param {string} secret */
const clerkSigned = (body, secret) => {
  const [id, now] = [`msg_${randomBytes(12).toString('hex')}`, new Date()];
  const signature = new Webhook(secret).sign(id, now, body);
  return { 'svix-id': id, 'svix-timestamp': String(Math.floor(now.getTime() / 1000)), 'svix-signature': signature };
};

const userCreated = JSON.stringify({ type: 'user.created', data: { id: 'user_1', email_addresses: [] } });
const stripeEvent = JSON.stringify({
  ...{ id: 'evt_1', object: 'event', type: 'product.created' },
  ...{ created: Math.floor(Date.now() / 1000), livemode: false, data: { object: {} } },
});

/** @type {Record<string, () => Promise<void>>} */
const CHECKS = {
  "none of the providers' routes is served by the app": async () => {
    const routes = Object.keys(JSON.parse(readFileSync('.next/app-path-routes-manifest.json', 'utf8')));
    assert.ok(routes.includes('/(shop)/api/webhooks/clerk/route'));
    for (const path of ['/clerk/v1/client', '/stripe/checkout/cs_1', '/v1/customers', '/control/clock']) {
      assert.equal((await ask(path)).status, 404, path);
    }
  },
  "the policy names Clerk's host and Stripe's pages": async () => {
    const policy = (await ask('/')).headers.get('content-security-policy') ?? '';
    assert.match(policy, new RegExp(`script-src [^;]*https://${CLERK_HOST}`));
    assert.match(policy, new RegExp(`connect-src [^;]*https://${CLERK_HOST}`));
    assert.match(policy, /form-action [^;]*https:\/\/checkout\.stripe\.com/);
  },
  'an account page leads to Clerk': async () => {
    // A browser's visit: Clerk's development instances hand their session over by a redirect.
    const response = await ask('/account', { headers: { 'sec-fetch-dest': 'document', accept: 'text/html' } });
    assert.equal(response.status, 307);
    assert.equal(new URL(response.headers.get('location') ?? '').host, CLERK_HOST);
  },
  "the sign-up page loads Clerk's script from its host": async () => {
    const html = await (await ask('/sign-up')).text();
    assert.match(html, new RegExp(`https://${CLERK_HOST}/npm/@clerk/clerk-js@`));
    assert.doesNotMatch(html, /emulator/i); // part: emulators
  },
  'webhooks verify with their own secret': async () => {
    const clerk = '/api/webhooks/clerk';
    assert.equal((await deliver(clerk, userCreated, clerkSigned(userCreated, secrets.clerk))).status, 200);
    const forged = clerkSigned(userCreated, `whsec_${randomBytes(24).toString('base64')}`);
    assert.equal((await deliver(clerk, userCreated, forged)).status, 400);
    await verifiesStripe('/api/webhooks/stripe', { own: secrets.shop, other: secrets.service });
  },
};

/** @param {string} path @param {{ own: string, other: string }} secret */
async function verifiesStripe(path, { own, other }) {
  assert.equal((await deliver(path, stripeEvent, stripeSigned(stripeEvent, own))).status, 200, path);
  assert.equal((await deliver(path, stripeEvent, stripeSigned(stripeEvent, other))).status, 400, path);
}

// part: service
/** @param {string} apiKey @returns how a sale of a customer is answered that the service does not know */
async function saleOfUnknown(apiKey) {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ customer_key: 'user_unknown', amount_cents: 100, transaction_id: 'in_1' });
  const response = await ask('/api/v1/track/sale', { method: 'POST', headers, body });
  return `${response.status} ${(await response.json()).code}`;
}
// end: service

/**
 * Builds the app with these variables, as `npm run build` does, starts it as on a server, and stops it again.
 * @param {import('./local-env.mjs').Environment} env @param {() => Promise<void>} body
 */
async function withServer(env, body) {
  await runNode(['scripts/build.mjs'], env);
  const app = superviseChild(spawnNode(['scripts/start.mjs'], env, { stdout: 'ignore' }));
  try {
    await untilServed(app, port);
    await body();
  } finally {
    await app.stop();
  }
}

// part: service
const database = await startDatabase(IN_MEMORY);
try {
  const env = { ...variables, DATABASE_URL: database.url };
  await migrate(env);
  const created = await runScript('scripts/create-program.ts', env, ['--name', 'Test', '--partner', 'ada']);
  const [programId, apiKey] = created.match(/(prg|svc_sk)_\S+/g) ?? [];
  await withServer({ ...env, NEXT_PUBLIC_SVC_PROGRAM_ID: programId, SVC_API_KEY: apiKey }, async () => {
    await verifiesStripe('/api/v1/webhooks/stripe', { own: secrets.service, other: secrets.shop });
    console.log('holds  the embedded service verifies its webhooks with its own secret');
    for (const [access, expected] of /** @type {const} */ ([
      ['full', '400 unknown_customer'],
      ['api', '400 unknown_customer'],
      ['dashboard', '401 invalid_api_key'],
    ])) {
      const added = await runScript('scripts/create-key.ts', env, ['--program', String(programId), '--access', access]);
      assert.equal(await saleOfUnknown(added.match(/svc_sk_\S+/)?.[0] ?? ''), expected, access);
    }
    assert.equal(await saleOfUnknown(String(apiKey)), '400 unknown_customer');
    console.log('holds  npm run key:create adds a key of each access, and the first key stays');
  });
} finally {
  await database.stop();
}
// end: service

// A tracking service of another company, with IDs, keys and errors of another form.
const service = await startContractOnlyService();
const emptyDatabase = await startDatabase(IN_MEMORY);
try {
  const env = {
    ...variables,
    DATABASE_URL: emptyDatabase.url,
    NEXT_PUBLIC_SVC_BASE_URL: service.url,
    NEXT_PUBLIC_SVC_PROGRAM_ID: FOREIGN_PROGRAM.id,
    SVC_API_KEY: FOREIGN_PROGRAM.apiKey,
  };
  await migrate(env);
  await withServer(env, async () => {
    for (const [name, check] of Object.entries(CHECKS)) {
      await check();
      console.log(`holds  ${name}`);
    }
    const walk = { ...env, BASE_URL: appUrl, CONTRACT_ONLY: '1' };
    console.log(await runNode([PLAYWRIGHT, 'test', 'contract-only.spec.ts', '--reporter=list'], walk));
  });
} finally {
  await emptyDatabase.stop();
  await service.stop();
}
