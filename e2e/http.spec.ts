// What the built app answers beside its pages: headers, health and metrics.
import { expect, test } from './fixtures';

test('every kind of response carries the security headers', { tag: '@build' }, async ({ request }) => {
  for (const [path, status] of [
    ['/', 200],
    ['/dashboard', 200],
    ['/api/v1/events', 401],
    ['/no-such-page', 404],
  ] as const) {
    const response = await request.get(path);
    expect(response.status(), path).toBe(status);
    expect(response.headers(), path).toMatchObject({
      'strict-transport-security': 'max-age=31536000',
      'content-security-policy': expect.stringMatching(/^default-src 'self'; .*object-src 'none'$/),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    });
    expect(response.headers(), path).not.toHaveProperty('x-powered-by');
  }
});

test('the health checks are open, and say that everything is ready', async ({ request }) => {
  const alive = await request.get('/healthz');
  expect([alive.status(), await alive.json()]).toEqual([200, { status: 'ok' }]);
  // A check has two seconds, which the walks beside this one may take of the database.
  await expect
    .poll(async () => {
      const response = await request.get('/readyz');
      return [response.status(), await response.json()];
    })
    .toMatchObject([200, { status: 'ready', checks: { process: 'ok', database: 'ok', migrations: 'ok' } }]);
});

for (const [path, metric] of [
  ['/api/metrics', 'outbox'],
  ['/api/metrics/service', 'service'],
] as const) {
  test(`${path} is closed to every caller without CRON_SECRET, and has metrics for one with it`, async ({
    request,
  }) => {
    for (const authorization of ['', 'Bearer ', 'Bearer wrong', `Bearer ${process.env.SVC_API_KEY}`]) {
      const refused = await request.get(path, { headers: { authorization } });
      expect(refused.status(), authorization).toBe(401);
      expect(await refused.text()).not.toContain('# TYPE');
    }
    const response = await request.get(path, { headers: { authorization: `Bearer ${process.env.CRON_SECRET}` } });
    expect(response.status()).toBe(200);
    expect(response.headers()['content-type']).toContain('text/plain; version=0.0.4');
    expect(await response.text()).toMatch(new RegExp(`^# TYPE \\w*${metric}`, 'm'));
  });
}
