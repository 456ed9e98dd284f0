// Versions that have to be upgraded together, and that nothing else compares.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

type Manifest = { version: string } & Partial<
  Record<'dependencies' | 'devDependencies' | 'overrides', Record<string, string>>
>;

const manifestIn = (folder: string) => JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as Manifest;
const project = manifestIn('.');

test('the engine of the migrations is that of the installed Prisma', () => {
  const { dependencies } = manifestIn('node_modules/@prisma/engines');
  expect(manifestIn('node_modules/@prisma/schema-engine-wasm').version).toBe(dependencies?.['@prisma/engines-version']);
});

test('the packages of Prisma have one version', () => {
  const all = { ...project.dependencies, ...project.devDependencies };
  const ofPrisma = Object.entries(all).filter(([name]) => /^(prisma|@prisma\/(?!schema-engine-wasm).*)$/.test(name));
  expect(ofPrisma.length).toBeGreaterThan(2);
  expect(new Set(ofPrisma.map(([, version]) => version)).size).toBe(1);
});

test('the overrides of Clerk are the versions that @clerk/nextjs asks for: older ones would hold back their fixes', () => {
  const overrides = Object.entries(project.overrides ?? {}).filter(([name]) => name.startsWith('@clerk/'));
  const asked = manifestIn('node_modules/@clerk/nextjs').dependencies;
  expect(overrides).not.toEqual([]);
  for (const [name, version] of overrides) expect([name, asked?.[name]]).toEqual([name, `^${version}`]);
});

test('what reads the .env files for a script is what Next reads them with', () => {
  expect(project.dependencies?.['@next/env']).toBe(project.dependencies?.next);
});

test('a package that a script imports is declared', () => {
  const imports = /^(?:import|\}) .*'((?:@[^/']+\/)?[^./'][^/':]*)(?:\/[^']*)?';$/gm;
  const imported = readdirSync('scripts', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.mjs'))
    .flatMap((file) => [...readFileSync(`scripts/${file}`, 'utf8').matchAll(imports)].map(([, name]) => name));
  expect(imported).toContain('@next/env');
  expect(Object.keys({ ...project.dependencies, ...project.devDependencies })).toEqual(
    expect.arrayContaining(imported),
  );
});

// part: emulators
test('a package that both the project and the emulators name has one version', () => {
  const versionsOf = ({ dependencies, devDependencies, overrides }: Manifest): Record<string, string> => ({
    ...dependencies,
    ...devDependencies,
    ...overrides,
  });
  const versions = versionsOf(project);
  const shared = Object.entries(versionsOf(manifestIn('emulators'))).filter(([name]) => name in versions);
  expect(shared.map(([name]) => name)).toEqual(expect.arrayContaining(['stripe', '@electric-sql/pglite']));
  for (const [name, version] of shared) expect([name, version]).toEqual([name, versions[name]]);
});
// end: emulators
