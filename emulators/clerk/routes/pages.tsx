// Clerk's pages: the Account Portal, which apps without sign-in pages of their own use, and the OAuth provider.
import { Hono } from 'hono';
import type { Emulator } from '../../core/emulator';
import { Page, pageHeaders } from '../../core/page';
import { clerkUrlOf } from '../call';
import { isOpen } from '../objects/oauth';
import { allowedOrigins } from '../origins';
import { Store } from '../store';
import { consentPage, expiredPage } from './consent';

export function pageRoutes(emulator: Emulator): Hono {
  const pages = new Hono();
  for (const [component, title] of Object.entries(PORTAL)) {
    const portal = <AccountPortal emulator={emulator} component={component} title={title} />;
    pages.on('GET', [`/${component}`, `/${component}/*`], pageHeaders, (context) => {
      context.header('content-security-policy', PORTAL_POLICY);
      return context.html(portal);
    });
  }
  return pages.get('/oauth/authorize', pageHeaders, async (context) => {
    const state = context.req.query('state') ?? '';
    const flow = await emulator.database.query((sql) => new Store(sql).find('oauth_flow', state.replaceAll('\0', '')));
    const isWaiting = flow !== null && isOpen(flow, Date.now());
    return isWaiting ? consentPage(state) : expiredPage(emulator.config);
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

/** Clerk's components bring their own styles and a worker. */
const PORTAL_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; worker-src 'self' blob:; " +
  "base-uri 'none'; object-src 'none'; frame-ancestors 'none'";
