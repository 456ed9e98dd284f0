// npm run docs: the documents as pages with a search, on a free port of this machine. `-- --build DIR` writes them to a folder for
// a static host; `--source URL` is then where links to source files lead, such as https://example.com/repository/blob/main.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { coveredBy, listDocuments, renderDocument, testsBySection } from './docs/read-docs.mjs';
import { readOptions } from './options.mjs';
import { freePort } from './ports.mjs';

/** @typedef {import('./docs/read-docs.mjs').Page} Page */

const options = readOptions({ build: { type: 'string' }, source: { type: 'string', default: '' } });
const CONTRACT = 'docs/contract.md';

/** The contract, with the tests of each section under its heading. */
function contractWithTests() {
  const sections = existsSync('tests/contract') ? testsBySection('tests/contract') : {};
  return readFileSync(CONTRACT, 'utf8').replace(/^## (\d)\. .+$/gm, (heading, section) => {
    const tests = sections[section];
    return tests ? `${heading}\n\n${coveredBy(tests)}` : heading;
  });
}

/** @returns {Page[]} */
function renderAll() {
  const documents = listDocuments();
  const sourceUrl = (/** @type {string} */ file) => (/\.webp$/.test(file) ? `/${file}` : `${options.source}/${file}`);
  return documents.map((file) =>
    renderDocument(file, { documents, sourceUrl, ...(file === CONTRACT && { markdown: contractWithTests() }) }),
  );
}

/** @param {string} text */
const escapeHtml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** @param {Page} page @param {Page[]} pages */
function frame(page, pages) {
  const links = pages
    .filter(({ file }) => !/decisions\/\d/.test(file))
    .map(({ url, title }) => {
      const current = url === page.url ? ' aria-current="page"' : '';
      return `<li><a href="${url}"${current}>${escapeHtml(title.replace(/`/g, ''))}</a></li>`;
    });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(page.title)}</title><link rel="stylesheet" href="/style.css"></head>
<body><nav aria-label="Documents"><form role="search"><label>Search <input type="search" name="q" autocomplete="off"></label></form>
<p id="found" role="status"></p><ol id="results" hidden></ol><ul>${links.join('')}</ul></nav>
<main>${page.html}</main><script src="/search.js" defer></script></body></html>\n`;
}

/** @returns {Map<string, string>} files of the site by URL */
function makeSite() {
  const pages = renderAll();
  const index = pages.map(({ url, title, text }) => ({ url, title, text }));
  return new Map([
    ...pages.map((page) => /** @type {[string, string]} */ ([page.url, frame(page, pages)])),
    ['/index.json', JSON.stringify(index)],
    ['/style.css', readFileSync('scripts/docs/style.css', 'utf8')],
    ['/search.js', readFileSync('scripts/docs/search.js', 'utf8')],
  ]);
}

const TYPES = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.webp': 'image/webp',
};

/**
 * A page of the site, or a source file. The site is made anew for each request, so that an edit shows with the next reload.
 * @param {string} requested
 * @throws if there is no such file, or the URL is malformed
 */
function read(requested) {
  const { pathname } = new URL(requested, 'http://localhost');
  const url = pathname.endsWith('/') ? `${pathname}index.html` : decodeURI(pathname);
  const known = makeSite().get(url);
  const type = Object.entries(TYPES).find(([ending]) => url.endsWith(ending))?.[1] ?? 'text/plain';
  if (known !== undefined) return { type, content: known };
  const isPrivate = url.includes('..') || /\/\./.test(url) || url.startsWith('/node_modules');
  if (isPrivate) throw new Error(`${url} is not served.`);
  const file = path.join('.', url);
  const content = statSync(file).isDirectory() ? readdirSync(file).join('\n') : readFileSync(file);
  return { type: type === 'image/webp' ? type : 'text/plain', content };
}

async function serve() {
  const port = await freePort('localhost');
  const server = createServer((request, response) => {
    try {
      const { type, content } = read(request.url ?? '/');
      response.setHeader('content-type', `${type}; charset=utf-8`).end(content);
    } catch {
      response.writeHead(404).end('There is no such page.');
    }
  });
  server.listen(port, 'localhost', () => console.log(`ready http://localhost:${port}`));
}

/** @param {string} folder */
function build(folder) {
  for (const [url, content] of makeSite()) {
    const file = path.join(folder, url);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  if (existsSync('docs/images')) cpSync('docs/images', path.join(folder, 'docs/images'), { recursive: true });
  console.log(`${folder}/index.html`);
}

if (options.build) build(options.build);
else await serve();
