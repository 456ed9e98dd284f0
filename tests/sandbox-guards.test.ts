// The second wall around the sandbox: what is off is not built, and where it is built beside a real provider, each
// handler asks for itself. Every route file is found by itself, so that a new one is held to it, too.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { advanceTime, changeSetting, redeliverNow, refundNow } from '@/app/(sandbox)/sandbox/(control-room)/actions';

type Handler = (request: Request, context: { params: Promise<object> }) => Promise<Response>;

const REAL = {
  stripe: { STRIPE_SECRET_KEY: 'sk_test_real' },
  clerk: { CLERK_SECRET_KEY: 'sk_test_real', NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: 'pk_test_real' },
};
const BOTH = { ...REAL.stripe, ...REAL.clerk };
/** What a route needs where its folder does not say it: time is Stripe's, deliveries are of both. */
const NEEDS: Record<string, keyof typeof REAL | 'either'> = {
  'control/clock': 'stripe',
  'control/deliveries': 'either',
  'control/deliveries/[id]/redeliver': 'either',
  'tracker-blocker': 'either',
};

const FOLDER = path.resolve('app/(sandbox)/sandbox');
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('route.sandbox.ts'),
);

const handlers = await Promise.all(
  files.map(async (file) => {
    const exported: Record<string, Handler> = await import(/* @vite-ignore */ path.join(FOLDER, file));
    return Object.entries(exported).map(([method, handle]) => ({ route: path.dirname(file), method, handle }));
  }),
);

function setEnvironment(env: Record<string, string>): void {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
}

const call = (method: string, handle: Handler) => {
  const params = Promise.resolve({ path: ['customers'], session: 'cs_test_1', id: 'dlv_1' });
  return handle(new Request('http://localhost/', { method, headers: { 'service-worker': 'script' } }), { params });
};

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('a route of the sandbox answers 404', () => {
  test('and none of them is left out here', () => {
    expect(handlers.flat().map(({ route }) => route)).toEqual(expect.arrayContaining(Object.keys(NEEDS)));
  });

  describe.each(handlers.flat())('$method /sandbox/$route', ({ route, method, handle }) => {
    const needs = NEEDS[route] ?? (route.startsWith('stripe/') ? 'stripe' : 'clerk');

    test('beside real keys of both', async () => {
      setEnvironment(BOTH);
      expect((await call(method, handle)).status).toBe(404);
    });

    if (needs !== 'either') {
      test(`beside real keys of ${needs} alone`, async () => {
        setEnvironment(REAL[needs]);
        expect((await call(method, handle)).status).toBe(404);
      });
    }

    test('with SANDBOX=off', async () => {
      setEnvironment({ SANDBOX: 'off' });
      expect((await call(method, handle)).status).toBe(404);
    });
  });
});

describe("the control room's actions are not found", () => {
  const notFound = { digest: 'NEXT_HTTP_ERROR_FALLBACK;404' };

  test('beside real keys of both', async () => {
    setEnvironment(BOTH);
    await expect(redeliverNow(new FormData())).rejects.toMatchObject(notFound);
    await expect(changeSetting(new FormData())).rejects.toMatchObject(notFound);
    await expect(advanceTime('', new FormData())).rejects.toMatchObject(notFound);
    await expect(refundNow(new FormData())).rejects.toMatchObject(notFound);
  });
});
