// npm run test:apps: two apps that know nothing of this project use the emulators: a Clerk quickstart on Next, and a
// Stripe subscription server on plain Node. Each is walked in Chromium.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseEnv, promisify } from 'node:util';
import { chromium } from '@playwright/test';
import { freePort } from './free-port.mjs';

const ROOT = path.join(import.meta.dirname, '..', '..');
const TARGET = path.join(ROOT, 'test-results', 'apps');
const BIN = path.join(import.meta.dirname, '..', 'bin', 'emulators.mjs');
const REGISTER = path.join(import.meta.dirname, '..', 'bin', 'register.mjs');
const NEXT = path.join(TARGET, 'node_modules', 'next', 'dist', 'bin', 'next');
const SYSTEM = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const findBrowser = () =>
  [process.env.PLAYWRIGHT_CHROMIUM, chromium.executablePath(), ...SYSTEM].find((file) => file && existsSync(file));
const PASSWORD = 'correct horse 42';
const run = promisify(execFile);

/** @type {Array<() => Promise<void>>} */
const stops = [];
let passed = 0;

/** @param {string} title @param {() => Promise<void>} check */
async function holds(title, check) {
  await check();
  passed += 1;
  console.log(`holds  ${title}`);
}

/** @param {string[]} args @param {NodeJS.ProcessEnv} env @param {string} cwd */
function start(args, env, cwd) {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.on('data', () => {});
  stops.push(async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  return child;
}

/** @param {string} url */
async function untilServed(url) {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (await fetch(url).catch(() => null)) return;
    await delay(100);
  }
  throw new Error(`${url} does not answer.`);
}

/** @param {number} port @param {string[]} options @param {string} folder */
async function startEmulators(port, options, folder) {
  const file = path.join(folder, '.env.emulators');
  const child = start(
    [BIN, 'start', '--app', `http://localhost:${port}`, '--data', 'memory://', '--env', file, ...options],
    {},
    folder,
  );
  for await (const chunk of child.stdout) if (String(chunk).includes('ready ')) break;
  return /** @type {NodeJS.ProcessEnv} */ (parseEnv(readFileSync(file, 'utf8')));
}

if (!findBrowser())
  await run(process.execPath, ['node_modules/@playwright/test/cli.js', 'install', 'chromium'], { cwd: ROOT });
const browser = await chromium.launch({
  executablePath: findBrowser(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});

async function clerkApp() {
  const folder = path.join(TARGET, 'clerk');
  cpSync(path.join(import.meta.dirname, 'apps', 'clerk'), folder, { recursive: true });
  const config = `export default { agentRules: false, turbopack: { root: ${JSON.stringify(TARGET)} } };\n`;
  writeFileSync(path.join(folder, 'next.config.mjs'), config);
  const port = await freePort();
  const app = `http://localhost:${port}`;
  const variables = await startEmulators(port, ['--clerk-webhook', '/api/webhooks', '--name', 'Quickstart'], folder);
  const env = { ...variables, NEXT_TELEMETRY_DISABLED: '1' };
  await run(process.execPath, [NEXT, 'build'], { cwd: folder, env: { ...process.env, ...env } });
  start([NEXT, 'start', '-H', 'localhost', '-p', String(port)], env, folder);
  await untilServed(app);
  const emulators = String(variables.EMULATORS_URL);
  const context = await browser.newContext();
  const page = await context.newPage();
  const email = `ada-${Date.now()}@example.com`;

  await holds('<SignUpButton> leads to the Account Portal, and back signed in', async () => {
    await page.goto(app);
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.waitForURL(`${emulators}/clerk/sign-up**`);
    await page.locator('input[name=emailAddress]').fill(email);
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.locator('input[name=password]').press('Enter');
    await page.waitForURL(`${app}/**`);
    await page.getByRole('button', { name: 'Open user menu' }).waitFor();
  });
  await holds('auth() and currentUser() know the user, by a JWKS that plain clerkMiddleware() fetches', async () => {
    await page.goto(`${app}/protected`);
    await page.getByText(`Signed in as ${email}`).waitFor();
    const response = await page.request.get(`${app}/api/me`);
    assert.match((await response.json()).userId, /^user_/);
  });
  await holds('verifyWebhook accepts user.created', async () => {
    for (let attempt = 0; ; attempt++) {
      const received = await (await page.request.get(`${app}/api/webhooks`)).json();
      if (received.some((/** @type {{ type: string }} */ { type }) => type === 'user.created')) return;
      assert.ok(attempt < 100, 'the webhook never arrived');
      await delay(100);
    }
  });
  await holds('<UserButton> signs out, and a protected page leads to sign-in and back', async () => {
    await page.goto(app);
    await page.getByRole('button', { name: 'Open user menu' }).click();
    await page.getByText('Sign out').click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.goto(`${app}/protected`);
    await page.waitForURL(`${emulators}/clerk/sign-in**`);
    await page.locator('input[name=identifier]').fill(email);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByText(`Signed in as ${email}`).waitFor();
  });
  await holds('a modal signs up without leaving the page', async () => {
    const other = await (await browser.newContext()).newPage();
    await other.goto(`${app}/modal`);
    await other.getByRole('button', { name: 'Open the modal' }).click();
    await other.locator('input[name=emailAddress]').fill(`modal-${email}`);
    await other.locator('input[name=password]').fill(PASSWORD);
    await other.locator('input[name=password]').press('Enter');
    await other.getByRole('button', { name: 'Open user menu' }).waitFor();
  });
  await holds('a custom form with useSignUp signs up', async () => {
    const other = await (await browser.newContext()).newPage();
    const address = `custom+clerk_test-${email}`;
    await other.goto(`${app}/custom-sign-up`);
    await other.getByLabel('Email').fill(address);
    await other.getByLabel('Password').fill(PASSWORD);
    await other.getByRole('button', { name: 'Create the account' }).click();
    const code = other.getByLabel('Code');
    await Promise.race([code.waitFor(), other.waitForURL(`${app}/protected`)]);
    if (await code.isVisible()) {
      await code.fill('424242');
      await other.getByRole('button', { name: 'Verify' }).click();
    }
    await other.getByText(`Signed in as ${address}`).waitFor();
  });
}

async function stripeApp() {
  const folder = path.join(TARGET, 'stripe');
  cpSync(path.join(import.meta.dirname, 'apps', 'stripe'), folder, { recursive: true });
  const port = await freePort();
  const app = `http://localhost:${port}`;
  const variables = await startEmulators(port, ['--stripe-webhook', '/webhook', '--clerk-webhook', 'none'], folder);
  const env = { ...variables, PORT: String(port) };
  const preloaded = ['--import', REGISTER];
  start([...preloaded, 'server.mjs'], env, folder);
  await untilServed(`${app}/events`);
  /** @param {string[]} args */
  const billing = async (...args) => {
    const { stdout } = await run(process.execPath, [...preloaded, 'billing.mjs', ...args], {
      cwd: folder,
      env: { ...process.env, ...env },
    });
    return JSON.parse(stdout);
  };
  /** @param {import('@playwright/test').Page} page */
  const pay = async (page) => {
    if (await page.getByLabel('Email').isEditable())
      await page.getByLabel('Email').fill(`buyer-${Date.now()}@example.com`);
    await page.getByLabel('Card number').fill('4242424242424242');
    await page.getByLabel('Expiry').fill('12 / 34');
    await page.getByLabel('CVC').fill('123');
    await page.getByLabel('Name on card').fill('Ada Lovelace');
    await page.getByRole('button', { name: 'Subscribe' }).click();
  };
  const page = await (await browser.newContext()).newPage();

  await holds('prices and a portal configuration are created at “api.stripe.com”', async () => {
    assert.equal(await billing('setup'), 'done');
  });
  let session = '';
  await holds('Checkout sells a subscription', async () => {
    await page.setContent(`<form method="post" action="${app}/create-checkout-session"><button>Buy</button></form>`);
    await page.getByRole('button', { name: 'Buy' }).click();
    await page.waitForURL(`${variables.EMULATORS_URL}/stripe/checkout/**`);
    await pay(page);
    await page.waitForURL(`${app}/success**`);
    session = new URL(page.url()).searchParams.get('session_id') ?? '';
    assert.match(session, /^cs_/);
  });
  await holds('the webhook verifies with constructEvent', async () => {
    for (let attempt = 0; ; attempt++) {
      const events = await (await fetch(`${app}/events`)).json();
      if (['checkout.session.completed', 'invoice.paid'].every((type) => events.includes(type))) return;
      assert.ok(attempt < 100, `received only ${events.join(', ')}`);
      await delay(100);
    }
  });
  await holds('the portal cancels it', async () => {
    await page.setContent(
      `<form method="post" action="${app}/create-portal-session"><input name="session_id" value="${session}"><button>Manage</button></form>`,
    );
    await page.getByRole('button', { name: 'Manage' }).click();
    await page.waitForURL(`${variables.EMULATORS_URL}/stripe/portal/**`);
    await page.getByText('Starter').first().waitFor();
    await page.getByRole('button', { name: 'Cancel at the end of the period' }).click();
    await page.getByText(/Ends on/).waitFor();
  });
  await holds('a test clock renews, and a payment needs no Elements', async () => {
    const { status, clock, customer, checkout } = await billing('simulate');
    assert.equal(status, 'succeeded');
    await page.goto(checkout);
    await pay(page);
    await page.waitForURL('http://localhost/success').catch(() => {}); // no server is there
    await billing('advance', clock, customer, '31');
    assert.deepEqual(await billing('advance', clock, customer, '31'), [
      'subscription_cycle paid',
      'subscription_cycle paid',
      'subscription_create paid',
    ]);
  });
}

rmSync(TARGET, { recursive: true, force: true });
mkdirSync(TARGET, { recursive: true });
// A separate app finds its packages next to itself. These are hard links, which cost no disk.
await run('cp', ['-Rl', path.join(ROOT, 'node_modules'), path.join(TARGET, 'node_modules')]);
try {
  const apps = { clerk: clerkApp, stripe: stripeApp };
  for (const [name, test] of Object.entries(apps)) if (!process.argv[2] || process.argv[2] === name) await test();
} finally {
  await browser.close();
  for (const stop of stops.reverse()) await stop();
}
console.log(`${passed} passed, 0 failed`);
