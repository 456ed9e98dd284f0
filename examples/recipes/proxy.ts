import { clerkMiddleware } from '@clerk/nextjs/server';

const PUBLIC = [
  '/',
  '/pricing',
  '/sign-in',
  '/sign-up',
  '/api/register',
  '/custom-sign-up',
  '/sso-callback',
  '/classic',
];

export default clerkMiddleware(async (auth, request) => {
  const { pathname } = request.nextUrl;
  if (!PUBLIC.some((path) => pathname === path || (path !== '/' && pathname.startsWith(`${path}/`))))
    await auth.protect();
});

export const config = { matcher: ['/((?!_next|api/webhooks/|api/cron/|.*\\..*).*)'] };
