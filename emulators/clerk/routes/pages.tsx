// The pages of Clerk: the Account Portal, to which apps without pages of their own send people, and the OAuth provider.
import { Hono, type MiddlewareHandler } from 'hono';
import type { Emulator } from '../../core/emulator';
import { Page, pageHeaders } from '../../core/page';
import { Button, TextField } from '../../core/ui';
import { clerkUrlOf } from '../call';
import { isOpen, OAUTH_PROVIDER } from '../objects/oauth';
import { allowedOrigins } from '../origins';
import { Store } from '../store';

export function pageRoutes(emulator: Emulator): Hono {
  const pages = new Hono();
  for (const [component, title] of Object.entries(PORTAL)) {
    const portal = <AccountPortal emulator={emulator} component={component} title={title} />;
    pages.on('GET', [`/${component}`, `/${component}/*`], portalHeaders, (context) => context.html(portal));
  }
  return pages.get('/oauth/authorize', pageHeaders, async (context) => {
    const state = context.req.query('state') ?? '';
    const flow = await emulator.database.query((sql) => new Store(sql).find('oauth_flow', state.replaceAll('\0', '')));
    const isWaiting = flow !== null && isOpen(flow, Date.now());
    return context.html(isWaiting ? <ConsentPage state={state} /> : <ExpiredPage />, isWaiting ? 200 : 404);
  });
}

const PORTAL = { 'sign-in': 'Sign in', 'sign-up': 'Sign up', user: 'Account' };

type PortalProps = { emulator: Emulator; component: string; title: string };

/** Clerk's own components, mounted by browser/account-portal.ts. */
function AccountPortal({ emulator, component, title }: PortalProps) {
  const { config, publishableKey } = emulator;
  const dist = (packageName: string) => `/clerk/npm/@clerk/${packageName}/dist`;
  return (
    <Page title={title} header={<p>{config.appName}</p>} width={component === 'user' ? 'normal' : 'narrow'}>
      <div
        id="account-portal"
        data-component={component}
        data-home={config.appUrl}
        data-origins={allowedOrigins(config).join(' ')}
      />
      <noscript>Clerk’s components need JavaScript.</noscript>
      <script
        src={`${dist('clerk-js@6')}/clerk.browser.js`}
        data-clerk-publishable-key={publishableKey}
        data-clerk-proxy-url={clerkUrlOf(emulator)}
        defer
      />
      <script src={`${dist('ui@1')}/ui.browser.js`} defer />
      <script src="/assets/account-portal.js" defer />
    </Page>
  );
}

/** Clerk's components bring styles of their own and a worker. */
const PORTAL_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; worker-src 'self' blob:; " +
  "base-uri 'none'; object-src 'none'; frame-ancestors 'none'";

const portalHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  context.header('content-security-policy', PORTAL_POLICY);
  context.header('x-content-type-options', 'nosniff');
  context.header('cache-control', 'no-store');
};

const PROVIDER_HEADER = <p>{OAUTH_PROVIDER.name}</p>;

/** A plain form: Clerk's callback leads back to the app. */
const ConsentPage = ({ state }: { state: string }) => (
  <Page title={`Continue with ${OAUTH_PROVIDER.name}`} header={PROVIDER_HEADER} width="narrow">
    <h1>Continue with {OAUTH_PROVIDER.name}</h1>
    <p class="muted">
      Emulates a provider such as Google. Use any identity; the app receives the email address as verified.
    </p>
    <form method="post" action="/clerk/v1/oauth_callback" class="stack">
      <input type="hidden" name="state" value={state} />
      <TextField
        id="email_address"
        name="email_address"
        label="Email address"
        type="email"
        autocomplete="email"
        required
      />
      <TextField id="first_name" name="first_name" label="First name" autocomplete="given-name" />
      <TextField id="last_name" name="last_name" label="Last name" autocomplete="family-name" />
      <div class="row">
        <Button name="decision" value="allow">
          Allow
        </Button>
        <Button name="decision" value="deny" variant="secondary" formnovalidate>
          Cancel
        </Button>
      </div>
    </form>
  </Page>
);

const ExpiredPage = () => (
  <Page title="This request has expired" header={PROVIDER_HEADER} width="narrow">
    <h1>This request has expired</h1>
    <p>Go back to the app and choose “Continue with {OAUTH_PROVIDER.name}” again.</p>
  </Page>
);
