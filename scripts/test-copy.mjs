// npm run test:copy: docs/integrate.md and docs/recipes.md, followed to the letter in a new app, once without and once with src/.
// Each app is built with create-next-app's own TypeScript, started, and walked in Chromium with the emulators and the tracking service.
// `npm run test:copy -- minimal` ends with the minimal level, `-- recipes` tries the app with the recipes only. With `--keep` an app
// keeps running after its walks, until Ctrl-C.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildApp, createApp, NPM, startBuiltApp } from './copy/app.mjs';
import { follow, GUIDE, LEVELS, namedVariables, RECIPES, readSteps } from './copy/guide.mjs';
import { startParties } from './copy/parties.mjs';
import { checkTrackerPackage } from './copy/tracker-package.mjs';
import { walkFunnel, walkLargeBody, walkOutage, walkSubscription, walkTwoTabs, walkUnreferred } from './copy/walk.mjs';
import { walkRecipes } from './copy/walk-recipes.mjs';
import { IN_MEMORY, startDatabase } from './database/start.mjs';
import { bareEnvironment } from './local-env.mjs';
import { freePort } from './ports.mjs';
import { runNode } from './programs.mjs';

/** @typedef {import('./copy/guide.mjs').Level} Level */

const isKept = process.argv.includes('--keep');
/** @typedef {{ hasSource: boolean, levels: Level[], walked: Level[] }} App `walked`: after these levels it is built and walked */
/** @type {Record<Level, App>} */
const APPS = {
  minimal: { hasSource: false, levels: ['minimal'], walked: ['minimal'] },
  durable: { hasSource: false, levels: ['minimal', 'durable'], walked: ['minimal', 'durable'] },
  recipes: { hasSource: true, levels: ['minimal', 'durable', 'recipes'], walked: ['recipes'] },
};
const asked = LEVELS.find((level) => process.argv.includes(level));
const steps = [...readSteps(readFileSync(GUIDE, 'utf8')), ...readSteps(readFileSync(RECIPES, 'utf8'), 'recipes')];
const port = await freePort('localhost');
const appUrl = `http://localhost:${port}`;
const started = performance.now();

/** @param {string} what */
const report = (what) => console.log(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${what}`);

// Nothing of the shell's or of .env.local: the guide has to name every variable that it needs.
const clean = bareEnvironment();
const parties = await startParties(appUrl, clean);
report('the tracking service, Clerk and Stripe are there');

/** What the dashboards show, by the names that the guide uses. @type {Record<string, string | undefined>} */
const { CLERK_WEBHOOK_SIGNING_SECRET, ...providers } = parties.providers;
const dashboards = {
  ...parties.program,
  CLERK_WEBHOOK_SIGNING_SECRET,
  APP_URL: appUrl,
  CRON_SECRET: randomBytes(24).toString('hex'),
  PAYMENTS_WEBHOOK_SECRET: randomBytes(24).toString('hex'),
  NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: 'pk_test_emulated',
};

/** The variables of an app that has followed the documents up to a level. @param {Level[]} levels */
function variablesAfter(levels) {
  const names = namedVariables(steps.filter(({ level }) => levels.includes(level)));
  const values = names.map((name) => {
    const value = /** @type {Record<string, string | undefined>} */ (dashboards)[name];
    assert.ok(value, `A document names ${name}, which no dashboard shows.`);
    return [name, value];
  });
  return Object.fromEntries(values);
}

async function createPlan() {
  const product = await parties.stripe('POST', 'products', { name: 'Acme Pro' });
  const price = { product: product.id, currency: 'usd', unit_amount: '1900', 'recurring[interval]': 'month' };
  await parties.stripe('POST', 'prices', { ...price, lookup_key: 'pro_monthly' });
}

/** A new app that follows the documents, level by level. @param {App} options */
async function tryApp({ hasSource, levels, walked }) {
  const name = hasSource ? 'with src/' : 'without src/';
  const database = await startDatabase(IN_MEMORY);
  /** @type {ReturnType<typeof createApp> | undefined} */
  let app;
  try {
    app = createApp({ hasSource, base: clean });
    const register = pathToFileURL('emulators/bin/register.mjs').href; // NODE_OPTIONS is split at spaces, which a URL has none of
    const own = { ...app.env, DATABASE_URL: database.url, APP_URL: appUrl, NODE_OPTIONS: `--import ${register}` };
    await prepareDatabase(app.directory, own);
    report(`an app ${name}, with its own database`);
    for (const [index, level] of levels.entries()) {
      for (const step of steps) if (step.level === level) follow(step, { ...app, env: own });
      report(`has followed the ${level} level`);
      if (!walked.includes(level)) continue;
      const variables = variablesAfter(levels.slice(0, index + 1));
      const env = { ...own, ...providers, ...variables };
      await buildApp(app, env);
      report('type-checks and builds');
      const running = await startBuiltApp(app, env, port);
      try {
        await walk(level, variables);
        if (isKept) await keep();
      } finally {
        await running.stop();
      }
    }
  } finally {
    await database.stop();
    app?.remove();
  }
}

/** @param {string} directory @param {import('./local-env.mjs').Environment} env */
async function prepareDatabase(directory, env) {
  const prisma = path.join(directory, 'node_modules/prisma/build/index.js');
  for (const command of [['migrate', 'deploy'], ['generate']]) {
    await runNode([prisma, ...command, '--config', path.join(directory, 'prisma.config.ts')], env);
  }
}

/** @param {Level} level @param {Record<string, string>} variables */
async function walk(level, variables) {
  const customer = await walkFunnel(parties, appUrl);
  report('  click, sign-up, lead, checkout, sale and renewal');
  await walkUnreferred(parties, appUrl);
  report('  a customer who was not referred');
  await walkLargeBody(appUrl);
  report('  a webhook with a large body');
  if (level !== 'minimal') {
    await walkSubscription(parties, customer);
    report('  one subscription for a customer, and a plan that ends with it');
    await walkTwoTabs(parties, appUrl);
    report('  of two payment pages only one can be paid');
  }
  if (level === 'recipes') await walkRecipes(parties, appUrl, variables, report);
  // Minimal asks Clerk to deliver again (503); durable has stored the report and delivers it by itself.
  const isStored = level !== 'minimal';
  await walkOutage(parties, appUrl, { response: isStored ? 200 : 503, resend: !isStored });
  report('  an outage of the service that ends');
}

async function keep() {
  console.log(`ready ${appUrl}/?aff=ada   (control room: ${providers.EMULATORS_URL})`);
  await once(process, 'SIGINT');
}

try {
  if (!asked) {
    await checkTrackerPackage({ ...clean, ...NPM });
    report('the tracker package: publint and attw find nothing, and it works with React 18');
  }
  await createPlan();
  for (const app of asked ? [APPS[asked]] : [APPS.durable, APPS.recipes]) await tryApp(app);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await parties.stop();
}
