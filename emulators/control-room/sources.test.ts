import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { profileSchema } from '../core/profile';
import type { Message } from '../core/trace';
import { findRoute, findSources, lineOf, listRoutes, readSource } from './sources';

const root = mkdtempSync(path.join(tmpdir(), 'sources-'));
const outside = mkdtempSync(path.join(tmpdir(), 'outside-'));
afterAll(() => {
  for (const folder of [root, outside]) rmSync(folder, { recursive: true });
});

function write(file: string, text: string) {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}
write('app/(shop)/api/checkout/route.ts', 'import x from "x";\n\nexport async function POST() {}\n');
write('app/(tracking)/api/v1/[[...path]]/route.service.ts', '');
write('app/(tracking)/api/v1/customers/[key]/email/route.service.ts', '');
write('app/sign-up/[[...sign-up]]/page.tsx', '');
write('app/page.tsx', '');
write('.env.ts.txt', 'SECRET=1');
writeFileSync(path.join(outside, 'secret.ts'), 'SECRET');
symlinkSync(path.join(outside, 'secret.ts'), path.join(root, 'linked.ts'));

describe('the file of a route', () => {
  const routes = listRoutes(root);
  test.each([
    ['POST', '/api/checkout?x=1', 'app/(shop)/api/checkout/route.ts', 'POST'],
    [
      'DELETE',
      '/api/v1/customers/user_1/email',
      'app/(tracking)/api/v1/customers/[key]/email/route.service.ts',
      'DELETE',
    ],
    ['GET', '/api/v1/none/at/all', 'app/(tracking)/api/v1/[[...path]]/route.service.ts', 'GET'],
    ['GET', '/sign-up/verify', 'app/sign-up/[[...sign-up]]/page.tsx', 'export default'],
    ['GET', '/', 'app/page.tsx', 'export default'],
  ])('%s %s', (method, asked, file, find) => {
    expect(findRoute({ method, path: asked }, routes)).toEqual({ file, find });
  });

  test('is null where no route fits', () => {
    expect(findRoute({ method: 'GET', path: '/api/none' }, routes)).toBeNull();
    expect(listRoutes(undefined)).toEqual([]);
  });
});

describe('the code that sends a message', () => {
  const entry = (path: string) => ({ path, sentBy: { file: 'lib/pay.ts', find: path } });
  const paths = [
    '/v1/subscriptions?status=open&limit=1',
    '/v1/subscriptions',
    '/v1/customers/*?limit=1',
    '/v1/customers*',
  ];
  const profile = profileSchema.parse({ sources: paths.map(entry) });

  test.each([
    ['/v1/subscriptions?limit=1&customer=cus_1&status=open', 0],
    ['/v1/subscriptions?status=open', 1],
    ['/v1/subscriptions?status=opened&limit=1', 1],
    ['/v1/subscriptions', 1],
    ['/v1/customers/cus_1?limit=1', 2],
    ['/v1/customers/cus_1?limit=10', 3],
  ])('%s is the first that fits, by its path and the parameters that the entry names', (path, index) => {
    const message = { from: 'app', to: 'stripe', method: 'GET', path, status: 200 } as Message;
    expect(findSources(message, profile, [])).toEqual([{ role: 'Sent by', ...entry(paths[index] ?? '').sentBy }]);
  });
});

describe('a source', () => {
  test('is shown at the line that declares the name', async () => {
    const source = await readSource(root, { file: 'app/(shop)/api/checkout/route.ts', find: 'POST' });
    expect(source).toMatchObject({ line: 3 });
    expect(lineOf(['use(send)', 'const send = 1'], 'send')).toBe(2);
  });

  test.each(['../secret.ts', 'linked.ts', '/etc/passwd', '.env.ts.txt', 'none.ts'])(
    'is never read from outside the project, and is code: %s',
    async (file) => {
      expect(await readSource(root, { file, find: '' })).toBeNull();
    },
  );

  test('is not read where the project’s folder is unknown', async () => {
    expect(await readSource(undefined, { file: 'app/page.tsx', find: '' })).toBeNull();
  });
});
