// Files share a worker's modules. A module that another file has loaded keeps what it has imported, so a mock needs
// `vi.resetModules()` before the import; one that stays mocks the module for the files after it.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const FOLDERS = ['lib', 'app', 'components', 'scripts', 'tests'];

const testsWithMocks = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.posix.join(folder, name)),
)
  .filter((file) => /\.test\.tsx?$/.test(file) && !file.includes('node_modules'))
  .map((file) => ({ file, code: readFileSync(file, 'utf8') }))
  .filter(({ code }) => /^\s*vi\.(do)?[mM]ock\(/m.test(code));

test('a test that mocks a module resets the modules that have loaded it, and ends the mock', () => {
  expect(testsWithMocks.length).toBeGreaterThan(0);
  const careless = testsWithMocks.filter(
    ({ code }) =>
      !/\bmountCheckoutRoute\(\)/.test(code) && !(/vi\.resetModules\(\)/.test(code) && /vi\.doUnmock\(/.test(code)),
  );
  expect(careless.map(({ file }) => file)).toEqual([]);
});
