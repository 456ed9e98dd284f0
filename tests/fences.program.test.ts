import { spawnSync } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

type Import = [from: string, imported: string];

const forbidden: Import[] = [
  ['lib/tracker/src/planted.ts', '@/lib/integration/env'],
  ['lib/tracker/src/planted.ts', '@clerk/nextjs'],
  ['lib/integration/planted.ts', '@/lib/shop/next-invoice'],
  ['lib/integration/planted.ts', '@/lib/tracker/src/wire'],
  ['lib/integration/planted.ts', '@/components/ui/button'],
  ['lib/shop/planted.ts', '@svc/tracker/server'],
  ['lib/shop/planted.ts', '@/components/ui/button'],
  ['lib/shop/planted.ts', '@/app/(shop)/plan-price'],
  ['app/(shop)/planted.tsx', '@/prisma/client'],
  ['components/ui/planted.tsx', '@/lib/integration/env'],
  ['components/ui/planted.tsx', '@/app/(shop)/plan-price'],
  ['proxy.ts', '@/lib/shop/next-invoice'],
  ['instrumentation.node.ts', '@/lib/shop/next-invoice'],
  ['e2e/planted.spec.ts', '../lib/tracker/src/wire'],
  // part: service
  ['lib/tracker/src/planted.ts', '@/lib/service/env'],
  ['lib/integration/planted.ts', '@/lib/service/env'],
  ['lib/shop/planted.ts', '@/lib/service/env'],
  ['lib/service/domain/planted.ts', '@/lib/integration/env'],
  ['lib/service/domain/planted.ts', '@/lib/shop/next-invoice'],
  ['lib/service/domain/planted.ts', '@svc/tracker/server'],
  ['lib/service/domain/planted.ts', '@/app/(service)/dashboard/_components/figures'],
  ['app/layout.tsx', '@/lib/service/env'],
  ['app/(shop)/planted.tsx', '@/app/(service)/dashboard/_components/figures'],
  ['app/(service)/api/planted.ts', '@/lib/integration/env'],
  ['app/(service)/api/planted.ts', '@/lib/shop/next-invoice'],
  ['app/(service)/api/planted.ts', '@/app/(shop)/plan-price'],
  ['app/(service)/api/planted.ts', '@/prisma/client'],
  ['components/ui/planted.tsx', '@/lib/service/env'],
  ['proxy.ts', '@/lib/service/env'],
  ['instrumentation.ts', '@/lib/service/env'],
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

const allowed: Import[] = [
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

/** A fence that sees only the alias `@/` or only the relative path is none. */
function inBothForms([from, imported]: Import): Import[] {
  if (!imported.startsWith('@/')) return [[from, imported]];
  const relative = path.posix.relative(path.dirname(from), imported.slice('@/'.length));
  return [imported, relative.startsWith('.') ? relative : `./${relative}`].map((form) => [from, form]);
}

const planted = [...forbidden, ...allowed].flatMap(inBothForms);

/** Plants the imports of each file, one on each line, in a copy of the tree's shape, and lints all files at once. */
let directory: string;
/** `file imported` */
const violations = new Set<string>();

beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'fences-'));
  copyFileSync('biome.json', path.join(directory, 'biome.json'));
  for (const [from, imported] of planted) {
    const file = path.join(directory, from);
    mkdirSync(path.dirname(file), { recursive: true });
    appendFileSync(file, `import '${imported}';\n`);
  }
  const args = ['lint', '--vcs-enabled=false', '--reporter=json', '--max-diagnostics=none', '.'];
  const result = spawnSync(path.resolve('node_modules/.bin/biome'), args, { cwd: directory, encoding: 'utf8' });
  const report: { diagnostics: Array<{ category: string; location: { path: string; start: { line: number } } }> } =
    JSON.parse(result.stdout);
  for (const { category, location } of report.diagnostics) {
    if (category !== 'lint/style/noRestrictedImports') continue;
    const from = path.posix.normalize(location.path);
    const imports = planted.filter(([file]) => file === from);
    violations.add(imports[location.start.line - 1]?.join(' ') ?? '');
  }
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

test.each(forbidden.flatMap(inBothForms))('%s may not import %s', (from, imported) => {
  expect(violations).toContain(`${from} ${imported}`);
});

test.each(allowed.flatMap(inBothForms))('%s may import %s', (from, imported) => {
  expect(violations).not.toContain(`${from} ${imported}`);
});
