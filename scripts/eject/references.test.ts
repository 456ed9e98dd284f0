import { expect, test } from 'vitest';
import { dropTables } from './migrations.mjs';
import {
  dropReferences,
  dropUnusedStyles,
  editLintRules,
  editManifest,
  findUnusedComponents,
  recordRemoval,
} from './references.mjs';

test('package.json loses the part’s scripts, also inside others, its packages and its workspace', () => {
  const manifest = {
    name: 'partner-attribution-reference',
    workspaces: ['a', 'b'],
    scripts: { a: 'node a.mjs', b: 'node b.mjs', all: 'npm run a && npm run b', only: 'npm run a' },
    dependencies: { x: '1' },
    devDependencies: { y: '1', z: '1' },
  };
  const isPresent = (file: string) => file === 'b';
  expect(
    editManifest(manifest, { scripts: ['a'], dependencies: ['x', 'z'] }, { isPresent, name: 'Acme Inc.' }),
  ).toEqual({
    name: 'acme-inc',
    workspaces: ['b'],
    scripts: { b: 'node b.mjs', all: 'npm run b' },
    dependencies: {},
    devDependencies: { y: '1' },
  });
});

test.each([
  ['Ateliér Nº 9', 'ateli-r-n-9'],
  ['東京', 'app'],
])('a product called %s has a package name that npm accepts', (name, expected) => {
  const empty = { workspaces: [], scripts: {}, dependencies: {}, devDependencies: {} };
  const nameAfter = (before: string) =>
    editManifest({ ...empty, name: before }, { scripts: [], dependencies: [] }, { isPresent: () => true, name }).name;
  expect(nameAfter('partner-attribution-reference')).toBe(expected);
  expect(nameAfter('acme-shop'), 'a name of your own stays').toBe('acme-shop');
});

test('a lint rule goes where all that it fences or forbids is gone', () => {
  const rule = (includes: string[], ...groups: string[][]) => ({
    includes,
    linter: {
      rules: { style: { noRestrictedImports: { options: { patterns: groups.map((group) => ({ group })) } } } },
    },
  });
  const other = { includes: ['**/*.mjs'], linter: {} };
  const rules = {
    overrides: [other, rule(['a/**'], ['x']), rule(['b/**'], ['@/a/**']), rule(['c/**'], ['@/a/**', 'x'], ['@/a'])],
  };
  expect(editLintRules(rules, ['a/', '/a']).overrides).toEqual([other, rule(['c/**'], ['x'])]);
});

test('a document loses rows and items about what is gone, links to it, and nothing else', () => {
  const isRemoved = (file: string) => file === 'gone' || file.startsWith('gone/');
  const markdown = [
    'See [it](../gone/file.ts).',
    '| [a](../gone/a.ts), [b](../kept/b.ts) | text |',
    '| [b](../kept/b.ts), [a](<../gone/a.ts>) | `gone/a.ts` |',
    '| [a](../gone/a.ts#part) |',
    '| the store | `gone/store.ts` |',
    '| both | `gone/store.ts`, `kept/store.ts` |',
    '| `npm run gone` | does it |',
    '| `npm run kept` | after `npm run gone` |',
    '- [gone](../gone)',
    '- [elsewhere](https://gone.example/gone)',
  ];
  expect(dropReferences(markdown.join('\n'), 'docs/a.md', { isRemoved, scripts: ['gone'] }).split('\n')).toEqual([
    'See [it](../gone/file.ts).',
    '| [b](../kept/b.ts) | text |',
    '| [b](../kept/b.ts) | `gone/a.ts` |',
    '| both | `gone/store.ts`, `kept/store.ts` |',
    '| `npm run kept` | after `npm run gone` |',
    '- [elsewhere](https://gone.example/gone)',
  ]);
});

test('a changelog keeps its entries, links to nothing that is gone, and lists what was removed in any order', () => {
  const changelog =
    '# Changelog\n\n## Unreleased\n\n### Added\n\n- [a](gone/a.md#part) has\n  [b](kept/b.md).\n\n## 0.1.0\n';
  const record = (text: string, what: string) => recordRemoval(text, what, (file) => file.startsWith('gone/'));
  const expected =
    '# Changelog\n\n## Unreleased\n\n### Removed\n\n- The first.\n- The second.\n\n### Added\n\n- a has\n  [b](kept/b.md).\n\n## 0.1.0\n';
  expect(record(record(changelog, 'the first'), 'the second')).toBe(expected);
  expect(record(record(changelog, 'the second'), 'the first')).toBe(expected);
  expect(record(changelog.replace('\n## 0.1.0', '\n### Removed\n\n- Other\n  things.\n\n## 0.1.0'), 'the first')).toBe(
    '# Changelog\n\n## Unreleased\n\n### Added\n\n- a has\n  [b](kept/b.md).\n\n### Removed\n\n- Other\n  things.\n- The first.\n\n## 0.1.0\n',
  );
  const released = '# Changelog\n\nThe format.\n\n## 0.1.0\n\n### Removed\n\n- Other.\n';
  expect(record(released, 'the first')).toBe(
    released.replace('\n## 0', '\n## Unreleased\n\n### Removed\n\n- The first.\n\n## 0'),
  );
  expect(record('# Changelog\n', 'the first')).toBe('# Changelog\n\n## Unreleased\n\n### Removed\n\n- The first.\n');
});

test('a component is unused where no file imports it, or only unused ones do', () => {
  const sources = new Map([
    ['app/page.tsx', "import { Card } from '@/ui/card';"],
    ['ui/card.tsx', "import { cx } from './cx';"],
    ['ui/cx.ts', ''],
    ['ui/table.tsx', "import { cell } from './cell';"],
    ['ui/cell.tsx', ''],
    ['ui/cell.test.ts', "import { cell } from './cell';"],
  ]);
  expect(findUnusedComponents(sources, 'ui')).toEqual(['ui/table.tsx', 'ui/cell.tsx', 'ui/cell.test.ts']);
});

test('every table that the migrations create is dropped', () => {
  const sql = 'CREATE TABLE "a" (\n);\n\nCREATE INDEX "i" ON "a"("x");\nCREATE TABLE "b_c" (\n);\n';
  expect(dropTables(sql)).toBe('DROP TABLE IF EXISTS "a" CASCADE;\nDROP TABLE IF EXISTS "b_c" CASCADE;\n');
});

test('a style sheet loses the utilities that no page names, and their animations', () => {
  const css = [
    'body {',
    '}',
    '',
    '/* Rows. */',
    '@utility rows {',
    '  & tr {',
    '  }',
    '}',
    '',
    '/* New. */',
    '@utility new {',
    '  animation: fade 4s;',
    '}',
    '',
    '@keyframes fade {',
    '  from {',
    '  }',
    '}',
    '',
  ].join('\n');
  expect(dropUnusedStyles(css, '<table className="rows new">')).toBe(css);
  expect(dropUnusedStyles(css, '<table className="rows new-row">')).toBe(css.slice(0, css.indexOf('\n/* New')));
  expect(dropUnusedStyles(css, '// rows of a table, the new one first')).toBe('body {\n}\n');
});
