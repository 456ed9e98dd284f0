// The documents of the project as pages, and which tests prove which section of the contract.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Marked } from 'marked';

/** @typedef {{ file: string, url: string, title: string, html: string, text: string }} Page */

/** Folders whose subfolders have a README of their own. */
const PARENTS = ['.', 'lib', 'examples'].filter((folder) => existsSync(folder));

/** Every document, the README first. @returns {string[]} */
export function listDocuments() {
  const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.posix.join('docs', name.replaceAll('\\', '/')))
    .sort();
  const readmes = PARENTS.flatMap((parent) =>
    readdirSync(parent)
      .filter((name) => !/^\.|^(docs|node_modules)$/.test(name))
      .map((name) => path.posix.join(parent, name, 'README.md')),
  ).filter((file) => read(file) !== null);
  return ['README.md', ...docs, ...readmes];
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** The page of a document: `docs/going-live.md` is `docs/going-live.html`, a folder's README its index. @param {string} file */
export const urlOf = (file) => `/${file.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html')}`;

/** As GitHub makes them. @param {string} heading */
export const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

/**
 * A document as a page. Links to documents lead to their pages, links to other files to `sourceUrl`.
 * @param {string} file @param {{ documents: string[], sourceUrl: (file: string) => string, markdown?: string }} options
 * @returns {Page}
 */
export function renderDocument(file, { documents, sourceUrl, markdown = read(file) ?? '' }) {
  const resolve = (/** @type {string} */ href) => {
    if (/^[a-z]+:|^#/.test(href)) return href;
    const [target = '', anchor] = href.split('#');
    const found = path.posix.join(path.posix.dirname(file), decodeURI(target));
    const readme = path.posix.join(found, 'README.md');
    const document = [found, readme].find((name) => documents.includes(name));
    return (document ? urlOf(document) : sourceUrl(found)) + (anchor ? `#${anchor}` : '');
  };
  const marked = new Marked({
    walkTokens(token) {
      if (token.type === 'link') token.href = resolve(token.href);
    },
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchorOf(text.replace(/`/g, ''))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
    },
  });
  const visible = markdown.replace(/^<!-- (?:part|end): .*-->\n/gm, '').replace(/ ?<!-- part: [^>]*-->/g, '');
  const html = /** @type {string} */ (marked.parse(visible)).replace(
    /\b(src|srcset)="(?!https?:)([^"]+)"/g,
    (_, name, target) => `${name}="${sourceUrl(path.posix.join(path.posix.dirname(file), target))}"`,
  );
  const title = /^# (.+)$/m.exec(visible)?.[1] ?? file;
  return { file, url: urlOf(file), title, html, text: textOf(html) };
}

/** @param {string} html */
const textOf = (html) =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/**
 * The titles of the contract tests, by section.
 * @param {string} directory @returns {Record<string, Array<{ file: string, title: string }>>}
 */
export function testsBySection(directory) {
  /** @type {Record<string, Array<{ file: string, title: string }>>} */
  const sections = {};
  for (const name of readdirSync(directory)
    .filter((file) => /^section-\d/.test(file))
    .sort()) {
    const file = path.posix.join(directory, name);
    const [, section = ''] = /^section-(\d)/.exec(name) ?? [];
    const titles = [...(read(file) ?? '').matchAll(/\b(?:test|local)\(\s*(['"`])(.+?)\1,/g)].map(
      ([, , title = '']) => title,
    );
    sections[section] = [...(sections[section] ?? []), ...titles.map((title) => ({ file, title }))];
  }
  return sections;
}

/**
 * The tests of a section as Markdown, with links from a document in docs/.
 * @param {Array<{ file: string, title: string }>} tests
 */
export function coveredBy(tests) {
  const list = tests.map(({ file, title }) => `- [${title.replace(/[[\]`]/g, '')}](../${file})`).join('\n');
  const count = tests.length === 1 ? '1 test' : `${tests.length} tests`;
  return `<details><summary>Covered by ${count}</summary>\n\n${list}\n\n</details>`;
}
