import { clerkMiddleware } from '@clerk/nextjs/server';
import { appEnv } from '@/lib/integration/env';

const PUBLIC = ['/', '/pricing', '/sign-in', '/sign-up'];

/** Rejects session tokens issued for another site of the same domain. If you have several domains, list each. */
const options = () => ({ authorizedParties: [new URL(appEnv().APP_URL).origin] });

export default clerkMiddleware(async (auth, request) => {
  const { pathname } = request.nextUrl;
  if (!PUBLIC.some((path) => pathname === path || (path !== '/' && pathname.startsWith(`${path}/`))))
    await auth.protect();
}, options);

export const config = { matcher: ['/((?!_next|api/webhooks/|api/cron/|.*\\..*).*)'] };
