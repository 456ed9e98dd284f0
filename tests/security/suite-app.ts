import pg from 'pg';
import { vi } from 'vitest';
import { type BuiltApp, startBuiltApp, startOwnDatabase } from '../support/built-app';

export type SuiteApp = BuiltApp & {
  /** The rows of a statement, straight from the database. */
  query: (sql: string, values?: unknown[]) => Promise<Array<Record<string, unknown>>>;
  end: () => Promise<void>;
};

/** The app on a database of its own, for one file of attacks. */
export async function startSuiteApp(options: { directory?: string; nodeFlags?: string[] } = {}): Promise<SuiteApp> {
  const database = await startOwnDatabase();
  const app = await startBuiltApp({ databaseUrl: database.url, ...options });
  // The first request of a process opens its connections and compiles its code: not a part of any attack.
  await vi.waitUntil(async () => (await fetch(`${app.url}/readyz`)).ok, { timeout: 30_000 });
  const query = async (sql: string, values: unknown[] = []) => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      return (await client.query(sql, values)).rows;
    } finally {
      await client.end();
    }
  };
  const end = async () => {
    await app.kill();
    await database.stop();
  };
  return { ...app, query, end };
}

const CONTROL_FLOW = /^NEXT_(REDIRECT|HTTP_ERROR_FALLBACK);/;

/**
 * The digests of what failed while a page was rendered. A page is sent with 200 before its data is read, so a failure is
 * in its body only: in a template of React, in the script that marks it, or in the data of the page. What has no digest
 * did not fail: it is left to the browser.
 */
export const renderErrors = (html: string): string[] =>
  [...html.matchAll(/data-dgst="([^"]+)"|\$RX\("[^"]*","([^"]+)"|:E\{\\"digest\\":\\"([^"\\]+)\\"/g)]
    .map(([, template, script, data]) => template ?? script ?? data ?? '')
    .filter((digest) => !CONTROL_FLOW.test(digest));

/** The dashboard's pages, each with what only its content has: neither its skeleton nor the sign-in page. */
export const DASHBOARD_PAGES: Array<[path: string, content: RegExp]> = [
  ['/dashboard', /Click to new sale/],
  ['/dashboard/events', / id="evt_\w+/],
  ['/dashboard/customers', /\/dashboard\/customers\/\w/],
  ['/dashboard/partners', /Add a partner/],
  ['/dashboard/settings', /How long a click counts/],
];

/** Each secret of the app, by its variable. */
export const secretsOf = (env: NodeJS.ProcessEnv): Array<[name: string, value: string]> =>
  [
    'SVC_API_KEY',
    'SVC_OPEN_API_KEY',
    'CRON_SECRET',
    'CLERK_SECRET_KEY',
    'CLERK_WEBHOOK_SIGNING_SECRET',
    'STRIPE_SECRET_KEY',
    'STRIPE_WEBHOOK_SECRET',
    'SVC_STRIPE_WEBHOOK_SECRET',
  ].map((name) => {
    const value = env[name];
    if (!value) throw new Error(`${name} is not set: this suite is run by its command, npm run test:security.`);
    return [name, value];
  });
