// The app over HTTP, as a visitor and the providers see it. Nothing here reads this project's variables, so it runs on
// an app that is not this one as well.
import { ask } from './http';
import { blocker, type Finding, ok, warning } from './report';

export type WebhookRoute = {
  path: string;
  name: string;
  /** The body and headers of an event that concerns nothing, signed with the secret that the app should have; null: unsigned. */
  signed: { body: string; headers: Record<string, string>; variable: string } | null;
};

const START = 'Start the app (`npm run dev`), or name its address: --app-url https://…';

/** Does it respond, and do its pages load Clerk and the tracker? */
export async function examinePages(appUrl: string): Promise<Finding[]> {
  const response = await ask(appUrl, { redirect: 'follow' }, START);
  const html = await response.text();
  if (!response.ok) return [blocker('App', `${appUrl} returned ${response.status}.`, 'See its log.')];
  const findings = [ok('App', `${appUrl} responds`)];
  if (new URL(response.url).origin !== new URL(appUrl).origin) {
    const detail = `${appUrl} redirects to ${new URL(response.url).origin}: forms and return addresses go through it.`;
    findings.push(warning('App', detail, 'Set APP_URL to the address that people see.'));
  }
  findings.push(
    /svc_click_id|data-program-id=/.test(html)
      ? ok('Tracker', 'its script is in the first page, before the app starts')
      : warning(
          'Tracker',
          'its script is not in the HTML of the first page.',
          'Put <TrackerScript/> into the root layout.',
        ),
  );
  return findings;
}

const SECRET_SHAPES = /\b(?:(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{8,}|whsec_[A-Za-z0-9+/=]{16,}|svc_sk_[\w-]{16,})/g;
const PAGES = ['/', '/pricing', '/sign-up'];

/** §5: the program API key is held only on the server, and so is every other secret. */
export async function examineClientBundle(appUrl: string, secrets: Record<string, string>): Promise<Finding[]> {
  const scripts = new Set<string>();
  const leaks = new Set<string>();
  const look = (text: string, place: string) => {
    for (const [name, value] of Object.entries(secrets)) if (text.includes(value)) leaks.add(`${name} in ${place}`);
    for (const [found] of text.matchAll(SECRET_SHAPES)) {
      if (!Object.values(secrets).includes(found)) leaks.add(`${found.slice(0, 8)}… in ${place}`);
    }
  };
  for (const path of PAGES) {
    const response = await ask(new URL(path, appUrl), { redirect: 'follow' }, START);
    const html = await response.text();
    look(html, path);
    for (const [, source = ''] of html.matchAll(/["'(]([^"'()\s]*\/_next\/static\/[^"'()\s\\]+\.js)/g)) {
      const url = new URL(source, appUrl);
      if (url.origin === new URL(appUrl).origin) scripts.add(url.href);
    }
  }
  for (const url of scripts) look(await (await ask(url)).text(), new URL(url).pathname);
  if (leaks.size === 0) return [ok('Client bundle', `no secret in ${PAGES.length} pages and ${scripts.size} scripts`)];
  return [...leaks].map((leak) =>
    blocker('Client bundle', `every visitor can read ${leak}.`, 'Replace the secret, and use it in server code only.'),
  );
}

/** A provider has no session. So a route that requires one, or redirects to sign-in, never sees a webhook. */
export async function examineWebhook(appUrl: string, { path, name, signed }: WebhookRoute): Promise<Finding[]> {
  const response = await ask(new URL(path, appUrl), {
    method: 'POST',
    body: signed?.body ?? '{}',
    headers: { 'content-type': 'application/json', ...signed?.headers },
  });
  await response.body?.cancel();
  const isProtected = response.headers.get('x-clerk-auth-reason')?.includes('protect-rewrite');
  const location = response.headers.get('location');
  const movedTo = location && new URL(location, appUrl).pathname;
  return describeWebhook(response.status, { path, name, signed }, { isProtected, movedTo });
}

type Reply = {
  /** Whether Clerk's `auth.protect()` responded, which may do so with 404. */
  isProtected?: boolean | undefined;
  /** The path of a redirect. */
  movedTo?: string | null;
};

export function describeWebhook(
  status: number,
  { path, name, signed }: WebhookRoute,
  { isProtected, movedTo }: Reply = {},
): Finding[] {
  const check = `${name} webhook`;
  if (movedTo === `${path}/`) {
    const provider = name.split(' ')[0] ?? name;
    const action = `Give ${provider} the address with the trailing slash. With --app-url, name it: --${provider.toLowerCase()}-webhook ${path}/`;
    return [blocker(check, `${path} redirects to ${path}/, and ${name} follows no redirect.`, action)];
  }
  if (isProtected || status === 401 || status === 403 || (status >= 300 && status < 400)) {
    const action = "Leave the route out of what proxy.ts protects, and out of your host's deployment protection.";
    return [blocker(check, `${path} requires a session (${status}).`, action)];
  }
  if (status === 404 || status === 405) {
    return [
      blocker(
        check,
        `there is no ${path} (${status}).`,
        'If it has another path, name it, with --app-url: --clerk-webhook, --stripe-webhook.',
      ),
    ];
  }
  if (status >= 500) {
    return [blocker(check, `${path} returned ${status}.`, "See the app's log: a missing secret, or its database.")];
  }
  if (!signed && status >= 200 && status < 300) {
    return [
      blocker(check, `${path} accepts an unsigned event (${status}).`, 'Verify the signature over the raw body first.'),
    ];
  }
  if (signed && status === 400) {
    return [
      blocker(
        check,
        `${path} refuses what ${signed.variable} signs.`,
        'The app runs with another secret. Restart it with this one.',
      ),
    ];
  }
  return [
    ok(check, `${path} needs no session, and ${signed ? `accepts ${signed.variable}` : 'refuses what is unsigned'}`),
  ];
}
