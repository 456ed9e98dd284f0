// What `npm pack` makes, installed in an empty folder and used as the README says.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test, vi } from 'vitest';

vi.setConfig({ testTimeout: 120_000 });

const ROOT = path.join(import.meta.dirname, '..');
const MODULES = path.join(ROOT, '..', 'node_modules');
const run = promisify(execFile);
const folder = mkdtempSync(path.join(tmpdir(), 'emulators-package-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Placed as by `npm install`, with its dependencies. @returns its files */
async function install(): Promise<string[]> {
  await run('npm', ['pack', '--pack-destination', folder], { cwd: ROOT, maxBuffer: 2 ** 24 });
  const archive = path.join(folder, ...readdirSync(folder));
  const home = path.join(folder, 'node_modules/@svc/emulators');
  mkdirSync(path.join(folder, 'node_modules/.bin'), { recursive: true });
  mkdirSync(home, { recursive: true });
  await run('tar', ['-xzf', archive, '-C', home, '--strip-components=1']);
  const { bin, dependencies } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8')) as {
    bin: { emulators: string };
    dependencies: Record<string, string>;
  };
  symlinkSync(path.join(home, bin.emulators), path.join(folder, 'node_modules/.bin/emulators'));
  for (const name of Object.keys(dependencies)) {
    const place = path.join(folder, 'node_modules', name);
    mkdirSync(path.dirname(place), { recursive: true });
    symlinkSync(path.join(MODULES, name), place);
  }
  return readdirSync(home, { encoding: 'utf8', recursive: true });
}

const read = (file: string) => readFileSync(path.join(folder, 'node_modules/@svc/emulators', file), 'utf8');

const ASK = `
const { STRIPE_SECRET_KEY, STRIPE_API_URL, CLERK_SECRET_KEY, CLERK_API_URL, NEXT_PUBLIC_CLERK_JS_URL } = process.env;
const statusOf = async (url, key) => (await fetch(url, { headers: { authorization: 'Bearer ' + key } })).status;
const asked = [
  statusOf('https://api.stripe.com/v1/products', STRIPE_SECRET_KEY),
  statusOf(CLERK_API_URL + '/v1/users', CLERK_SECRET_KEY),
  statusOf(NEXT_PUBLIC_CLERK_JS_URL),
];
Promise.all(asked).then((statuses) => console.log(JSON.stringify([STRIPE_API_URL, ...statuses])));
process.exitCode = 7;
`;

test('the package has the bundles with their licenses, and serves both providers in an empty folder until its command ends', async () => {
  const files = await install();
  for (const file of ['README.md', 'LICENSE', 'dist/cli.mjs', 'bin/register.mjs']) expect(files).toContain(file);
  for (const name of ['clerk-js', 'ui']) expect(files).toContain(`vendor/@clerk/${name}/LICENSE`);
  expect(files.filter((file) => /\.tsx?$/.test(file))).toEqual([]);
  expect(read('dist/cli.mjs'), 'a map to sources that are not there').not.toContain('sourceMappingURL');
  const hash = /"([0-9a-f]{16})"/.exec(read('vendor/@clerk/ui/dist/ui.browser.js'))?.[1]?.slice(0, 6);
  const chunks = files.filter((file) => /vendor\/@clerk\/ui\/dist\/.*_ui_/.test(file));
  expect(chunks).not.toEqual([]);
  expect(
    chunks.filter((file) => !file.includes(`_ui_${hash}_`)),
    'chunks of other builds',
  ).toEqual([]);
  const command = ['node', '--import', '@svc/emulators/register', '--eval', ASK];
  const exec = ['emulators', 'exec', '--data', 'memory://', '--', ...command];
  const { code, stdout } = await run('npx', exec, { cwd: folder }).catch((failed) => failed);
  const [url, ...statuses] = JSON.parse(stdout);
  expect({ code, statuses }).toEqual({ code: 7, statuses: [200, 200, 200] });
  await expect(fetch(url), 'they end with the command').rejects.toThrow('fetch failed');
});
