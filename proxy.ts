// Tells Clerk's auth() who is signed in. It decides nothing: every page and handler asks for itself.
// Change in your app: the matcher. Leave out webhooks, the tracking service's routes and static pages: they need no session.
import { clerkMiddleware } from '@clerk/nextjs/server';
import { clerkEnv } from '@/lib/integration/env';

export default clerkMiddleware(
  async () => {},
  () => {
    const { CLERK_JWT_KEY: jwtKey } = clerkEnv();
    return { ...(jwtKey && { jwtKey }), signInUrl: '/sign-in', signUpUrl: '/sign-up' };
  },
);

export const config = {
  matcher: [
    '/account/:path*',
    '/welcome',
    '/checkout/:path*',
    '/operator',
    '/api/checkout',
    '/api/bank-transfer',
    '/api/billing',
  ],
};
