import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const forbidden: Array<[from: string, imported: string]> = [
  ['lib/tracker/src/planted.ts', '@/lib/integration/env'],
  ['lib/tracker/src/planted.ts', '@clerk/nextjs'],
  ['lib/integration/planted.ts', '@/lib/shop/next-invoice'],
  ['lib/integration/planted.ts', '@/lib/tracker/src/wire'],
  ['lib/integration/planted.ts', '@/components/ui/button'],
  ['lib/shop/planted.ts', '@svc/tracker/server'],
  ['lib/shop/planted.ts', '@/components/ui/button'],
  ['app/(shop)/planted.tsx', '@/prisma/client'],
  ['e2e/planted.spec.ts', '../lib/tracker/src/wire'],
  // part: service
  ['lib/tracker/src/planted.ts', '@/lib/service/env'],
  ['lib/integration/planted.ts', '@/lib/service/env'],
  ['lib/shop/planted.ts', '@/lib/service/env'],
  ['lib/service/domain/planted.ts', '@/lib/integration/env'],
  ['lib/service/domain/planted.ts', '@/lib/shop/next-invoice'],
  ['lib/service/domain/planted.ts', '@svc/tracker/server'],
  ['app/layout.tsx', '@/lib/service/env'],
  ['app/(service)/api/planted.ts', '@/lib/integration/env'],
  ['e2e/planted.spec.ts', '@/lib/service/env'],
  // end: service
  // part: emulators
  ['e2e/planted.spec.ts', '../emulators/server'],
  ['lib/tracker/src/planted.ts', '../../../emulators/core/ids'],
  ['lib/integration/planted.ts', '@/emulators/core/ids'],
  ['lib/shop/planted.ts', '@/emulators/core/ids'],
  ['app/(shop)/planted.tsx', '@svc/emulators'],
  ['app/(shop)/planted.tsx', '@/emulators/core/ids'],
  ['components/ui/planted.tsx', '@/emulators/core/ids'],
  ['prisma/planted.ts', '../emulators/core/ids'],
  ['tests/planted.test.ts', '../emulators/server'],
  ['next.config.mjs', './emulators/server'],
  ['proxy.ts', '@/emulators/server'],
  ['emulators/clerk/planted.ts', '@/lib/integration/env'],
  ['emulators/core/planted.ts', '@svc/tracker'],
  ['emulators/core/planted.ts', '../../prisma/client'],
  ['emulators/control-room/planted.tsx', '../../components/ui/button'],
  ['emulators/control-room/planted.tsx', 'react'],
  ['emulators/stripe/planted.test.ts', '../../tests/support/program'],
  // end: emulators
  // part: emulators, service
  ['lib/service/domain/planted.ts', '../../../emulators/core/ids'],
  ['app/(service)/api/planted.ts', '@/emulators/core/ids'],
  ['emulators/clerk/planted.ts', '../../lib/service/env'],
  // end: emulators, service
];

const allowed: Array<[from: string, imported: string]> = [
  ['lib/tracker/src/planted.tsx', 'react'],
  ['lib/integration/planted.ts', '@svc/tracker/server'],
  ['lib/integration/planted.ts', './env'],
  ['lib/shop/planted.ts', '@/lib/integration/env'],
  ['app/(shop)/planted.tsx', '@/lib/integration/env'],
  ['app/(shop)/planted.tsx', '@/lib/shop/next-invoice'],
  ['app/(shop)/planted.tsx', '@/components/ui/button'],
  // part: service
  ['lib/service/planted.ts', '@/prisma/client'],
  ['app/(service)/dashboard/planted.tsx', '@/lib/service/env'],
  ['tests/planted.test.ts', '@/lib/service/env'],
  // end: service
  // part: emulators
  ['emulators/clerk/planted.ts', '../core/ids'],
  ['emulators/control-room/planted.tsx', 'hono/jsx'],
  // end: emulators
];

/** Plants every import as a file of its own in a copy of the tree's shape, and lints them all at once. */
let directory: string;
const violations = new Set<string>();

function plantedFile([from, imported]: [string, string], index: number): string {
  const { dir, ext } = path.parse(from);
  // app/layout.tsx is fenced by its name
  return from === 'app/layout.tsx' ? from : path.join(dir, `planted-${imported.replace(/\W+/g, '-')}-${index}${ext}`);
}

beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'fences-'));
  copyFileSync('biome.json', path.join(directory, 'biome.json'));
  for (const [index, entry] of [...forbidden, ...allowed].entries()) {
    const file = path.join(directory, plantedFile(entry, index));
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `import { planted } from '${entry[1]}';\n\nexport const again = planted;\n`);
  }
  const args = ['lint', '--vcs-enabled=false', '--reporter=json', '--max-diagnostics=none', '.'];
  const result = spawnSync(path.resolve('node_modules/.bin/biome'), args, { cwd: directory, encoding: 'utf8' });
  const report: { diagnostics: Array<{ category: string; location: { path: string | { file: string } } }> } =
    JSON.parse(result.stdout);
  for (const { category, location } of report.diagnostics) {
    if (category !== 'lint/style/noRestrictedImports') continue;
    violations.add(path.normalize(typeof location.path === 'string' ? location.path : location.path.file));
  }
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

test.each(forbidden.map((entry, index) => [...entry, plantedFile(entry, index)]))(
  '%s may not import %s',
  (_from, _imported, file) => {
    expect(violations).toContain(file);
  },
);

test.each(allowed.map((entry, index) => [...entry, plantedFile(entry, forbidden.length + index)]))(
  '%s may import %s',
  (_from, _imported, file) => {
    expect(violations).not.toContain(file);
  },
);
