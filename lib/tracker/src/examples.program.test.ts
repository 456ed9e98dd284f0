import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');
const readme = path.resolve(import.meta.dirname, '../README.md');
/** Inside the project, so that an example resolves its imports as an app does. */
const directory = path.join(root, `node_modules/.cache/tracker-examples-${process.pid}`);

/** The fenced blocks of TypeScript in the README and in every `@example`. */
function collectExamples() {
  const sources = readdirSync(import.meta.dirname)
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
    .map((name) => path.join(import.meta.dirname, name));
  return [readme, ...sources].flatMap((file) => {
    const text = readFileSync(file, 'utf8').replace(/^ *\* ?/gm, '');
    return [...text.matchAll(/^```(tsx?)\n(.*?)^```/gms)].map(([, extension = 'ts', code = ''], index) => ({
      name: `${path.parse(file).name}-${index}.${extension}`,
      code: `${code}export {};\n`,
    }));
  });
}

afterAll(() => rmSync(directory, { recursive: true, force: true }));

it('every example in the README and in the documentation comments compiles', () => {
  const examples = collectExamples();
  expect(examples.length).toBeGreaterThanOrEqual(10);
  mkdirSync(directory, { recursive: true });
  for (const { name, code } of examples) writeFileSync(path.join(directory, name), code);
  const config = {
    extends: path.join(root, 'tsconfig.json'),
    compilerOptions: { types: ['node', 'react'] },
    files: examples.map(({ name }) => name),
    include: [],
  };
  writeFileSync(path.join(directory, 'tsconfig.json'), JSON.stringify(config));
  let complaints = '';
  try {
    execFileSync(path.join(root, 'node_modules/.bin/tsc'), ['--noEmit', '--incremental', 'false', '-p', directory]);
  } catch (error) {
    complaints = String((error as { stdout?: Buffer }).stdout ?? error);
  }
  expect(complaints).toBe('');
}, 30_000);
