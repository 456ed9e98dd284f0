import { redirect } from 'next/navigation';
import { renderToReadableStream } from 'react-dom/server';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

/** Of the visitor's session, as Clerk's SDK says it; null without one. A pending one waits for a session task. */
let sessionStatus: 'pending' | null;
let CheckoutPage: typeof import('./page').default;

beforeAll(async () => {
  const auth = async ({ treatPendingAsSignedOut = true } = {}) => {
    const userId = sessionStatus && !treatPendingAsSignedOut ? 'user_1' : null;
    return { userId, isAuthenticated: userId !== null, sessionStatus };
  };
  const protect = async () => redirect(sessionStatus ? '/sign-in/tasks' : '/sign-in');
  vi.doMock('@clerk/nextjs/server', () => ({ auth: Object.assign(auth, { protect }) }));
  vi.resetModules();
  ({ default: CheckoutPage } = await import('./page'));
});
afterAll(() => {
  vi.doUnmock('@clerk/nextjs/server');
  vi.resetModules();
});

/** Where the page leads. */
async function redirectOf(query: Record<string, string>): Promise<string | undefined> {
  let digest = '';
  const page = <CheckoutPage params={Promise.resolve({})} searchParams={Promise.resolve(query)} />;
  const onError = (error: unknown) => {
    digest = String((error as { digest?: string }).digest);
  };
  await (await renderToReadableStream(page, { onError })).allReady;
  return digest.split(';')[2];
}

const CHOSEN = { plan: 'studio_yearly', resume: 'payment' };

test('a visitor who chose a plan without a session is redirected to the sign-up, with the plan', async () => {
  sessionStatus = null;
  expect(await redirectOf(CHOSEN)).toBe('/sign-up?plan=studio_yearly');
  expect(await redirectOf({ plan: 'studio_yearly' })).toBe('/sign-in');
});

test('a customer whose session is pending is redirected to its tasks', async () => {
  sessionStatus = 'pending';
  expect(await redirectOf(CHOSEN)).toBe('/sign-in/tasks');
  expect(await redirectOf({ plan: 'studio_yearly' })).toBe('/sign-in/tasks');
});

test('an unknown plan redirects to the prices', async () => {
  expect(await redirectOf({ plan: 'free' })).toBe('/pricing');
});
