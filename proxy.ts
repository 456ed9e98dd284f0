// Makes Clerk's auth() work. It authorizes nothing: every page and handler does that itself.
// Change in your app: the matcher. Leave out webhooks, the tracking service's routes and static pages: they need no session.
import { clerkMiddleware } from '@clerk/nextjs/server';
import { appEnv, clerkEnv } from '@/lib/integration/env';

export default clerkMiddleware(
  async () => {},
  () => {
    const { CLERK_JWT_KEY: jwtKey } = clerkEnv();
    // Rejects tokens issued for another site of the same domain. If you have several domains, list each.
    const authorizedParties = [new URL(appEnv().APP_URL).origin];
    return { ...(jwtKey && { jwtKey }), authorizedParties, signInUrl: '/sign-in', signUpUrl: '/sign-up' };
  },
);

export const config = {
  matcher: [
    '/account/:path*',
    '/welcome',
    '/checkout/:path*',
    '/operator', // part: demo
    '/api/checkout',
    '/api/bank-transfer', // part: demo
    '/api/billing',
  ],
};
