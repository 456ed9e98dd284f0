import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { anchorOf } from '../scripts/docs/read-docs.mjs';

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.posix.join(folder, name));

const DOCUMENTS = ['README.md', ...['docs', 'lib', 'app', 'e2e'].flatMap(filesIn)]
  .filter((file) => file.endsWith('.md') && !/node_modules|\/dist\//.test(file))
  .sort();

/** What else names scripts, for people or for machines. */
const OTHERS = [
  ...['AGENTS.md', 'CONTRIBUTING.md', 'SECURITY.md', '.env.example', '.ci/run', '.github/workflows/test.yml'],
  ...[
    'Dockerfile',
    '.devcontainer/devcontainer.json',
    'instrumentation.node.ts',
    'vitest.config.ts',
    'playwright.config.ts',
  ],
];

/** Code, without its tests: those name scripts that there are not. */
const sourcesIn = (folder: string) =>
  filesIn(folder).filter(
    (file) => /\.(tsx?|mjs|prisma)$/.test(file) && !/\.test\.|node_modules|generated|scripts\/eject\//.test(file),
  );

type Link = { text: string; target: string };

const read = (file: string) => readFileSync(file, 'utf8');
const withoutCode = (markdown: string) => markdown.replace(/^```.*?^```$/gms, '');

function linksIn(markdown: string): Link[] {
  const inline = [...withoutCode(markdown).matchAll(/\[((?:[^[\]]|\[[^\]]*\])*)\]\((?:<([^>]+)>|([^()\s]+))\)/g)];
  const pictures = [...withoutCode(markdown).matchAll(/\b(?:src|srcset)="([^"]+)"/g)];
  return [
    ...inline.map(([, text = '', bracketed, bare]) => ({ text, target: bracketed ?? bare ?? '' })),
    ...pictures.map(([, target = '']) => ({ text: '', target })),
  ];
}

const localLinksIn = (document: string) => linksIn(read(document)).filter(({ target }) => !/^[a-z]+:/.test(target));

const anchorsOf = (markdown: string): string[] =>
  [...withoutCode(markdown).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** Links that lead to no file, or to a heading that the file does not have. */
const brokenIn = (document: string): string[] =>
  localLinksIn(document).flatMap(({ target }) => {
    const [file = '', anchor] = target.split('#');
    const found = file ? path.join(path.dirname(document), file) : document;
    const isThere = existsSync(found) && (anchor === undefined || anchorsOf(read(found)).includes(anchor));
    return isThere ? [] : [target];
  });

test('a link is found in its text and its target, with brackets and without', () => {
  expect(linksIn('| [a](b.md) | [`c [d] e`](<f (g)/h>) | <img src="i.webp">')).toMatchObject([
    { target: 'b.md' },
    { target: 'f (g)/h' },
    { target: 'i.webp' },
  ]);
});

test('no command has a comment: zsh, the usual shell on macOS, takes it for arguments', () => {
  const documents = [
    ...DOCUMENTS,
    'CONTRIBUTING.md',
    'emulators/README.md', // part: emulators
  ];
  const commented = documents.flatMap((document) =>
    [...read(document).matchAll(/^```sh\b.*?\n(.*?)^```$/gms)].flatMap(([, commands = '']) =>
      commands.split('\n').filter((line) => /(^|\s)#/.test(line)),
    ),
  );
  expect(commented).toEqual([]);
});

describe.each(DOCUMENTS)('%s', (document) => {
  const links = localLinksIn(document);

  test('every link leads to a file that there is, and to a heading that it has', () => {
    expect(brokenIn(document)).toEqual([]);
  });

  test('every file that it names is there', () => {
    const named = [...withoutCode(read(document)).matchAll(/`([^`\s]+\/[^`\s]*\.(?:tsx?|mjs|prisma|yaml|webp))`/g)];
    const missing = named
      .map(([, file = '']) => file)
      .filter((file) => !file.startsWith('/') && !/[<*{]/.test(file))
      .filter((file) => ![file, path.join(path.dirname(document), file)].some((place) => existsSync(place)));
    expect(missing).toEqual([]);
  });

  test('every quoted test has this title in the file that it links to', () => {
    const wrong = links
      .filter(({ text, target }) => /\.(test|spec)\.ts$/.test(target) && text.startsWith('"'))
      .filter(({ text, target }) => {
        const source = read(path.join(path.dirname(document), target));
        return !['test', 'it', 'local'].some((word) =>
          ["'", '"', '`'].some((quote) => source.includes(`${word}(${quote}${text.slice(1, -1)}${quote}`)),
        );
      });
    expect(wrong).toEqual([]);
  });
});

test('every link of the changelog leads to a file that there is; its entries may name what is gone', () => {
  expect(brokenIn('CHANGELOG.md')).toEqual([]);
});

describe('scripts', () => {
  const scripts = Object.keys(JSON.parse(read('package.json')).scripts as object).filter(
    (name) => name !== 'postinstall',
  );
  const commandOf = (name: string) => (name === 'test' || name === 'start' ? `npm ${name}` : `npm run ${name}`);

  test('the page of commands names every script of package.json', () => {
    const table = read('docs/commands.md');
    expect(scripts.filter((name) => !table.includes(`\`${commandOf(name)}\``))).toEqual([]);
  });

  test('every script that a document, a message or a job names is in package.json', () => {
    const tracker = Object.keys(JSON.parse(read('lib/tracker/package.json')).scripts as object);
    const sources = [
      ...DOCUMENTS,
      ...OTHERS.filter(existsSync),
      ...['lib', 'app', 'scripts', 'prisma'].flatMap(sourcesIn),
    ];
    const named = sources.flatMap((file) =>
      [...read(file).matchAll(/npm run (?:--?[\w-]+ )*([a-z][\w:-]*\w)/g)].map(([, name = '']) => ({ file, name })),
    );
    expect(named.length).toBeGreaterThan(50);
    // The tracker is a package with scripts of its own.
    const known = (file: string) => (/tracker/.test(file) ? [...scripts, ...tracker] : scripts);
    expect(named.filter(({ file, name }) => !known(file).includes(name))).toEqual([]);
  });
});

// part: emulators, service
test('the list of walks has every one', () => {
  const list = read('e2e/README.md');
  const walks = readdirSync('e2e').filter((name) => name.endsWith('.spec.ts'));
  expect(walks.filter((name) => !list.includes(`](${name})`))).toEqual([]);
});
// end: emulators, service

test('the index of decisions has every one, under its own title', () => {
  const index = read('docs/decisions/README.md');
  const files = filesIn('docs/decisions').filter((file) => /\/\d{4}-/.test(file));
  const records = files.map((file) => {
    const [, number = '', title = ''] = /^# (\d{4}) (.+)$/m.exec(read(file)) ?? [];
    return `- [${number}](${path.basename(file)}) ${title}`;
  });
  expect(records.filter((line) => !index.includes(line))).toEqual([]);
});
