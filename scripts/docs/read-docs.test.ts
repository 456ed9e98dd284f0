import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listDocuments, renderDocument, testsBySection, urlOf } from './read-docs.mjs';

const documents = listDocuments();
const options = { documents, sourceUrl: (file: string) => `/source/${file}` };
const pages = documents.map((file) => renderDocument(file, options));
const byUrl = new Map(pages.map((page) => [page.url, page]));

test('every document is a page with the title of its heading', () => {
  expect(byUrl.get('/index.html')?.title).toBe(/^# (.+)$/m.exec(readFileSync('README.md', 'utf8'))?.[1]);
  expect(byUrl.size).toBe(documents.length);
});

test('a link to a document leads to its page and heading, one to a folder to its README, others to the source', () => {
  const markdown =
    '[a](going-live.md#1-clerk) [b](../lib/tracker) [c](../package.json) [d](https://example.com) [e](#x)';
  const { html } = renderDocument('docs/new.md', { ...options, markdown });
  expect([...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
    '/docs/going-live.html#1-clerk',
    '/lib/tracker/index.html',
    '/source/package.json',
    'https://example.com',
    '#x',
  ]);
});

test('no page links to a page or a heading that does not exist', () => {
  const broken = pages.flatMap(({ url, html }) =>
    [...html.matchAll(/href="(\/[^"]+\.html|)(?:#([^"]+))?"/g)]
      .filter(([, target, anchor]) => {
        const page = byUrl.get(target || url);
        return !page || (anchor !== undefined && !page.html.includes(`id="${decodeURIComponent(anchor)}"`));
      })
      .map(([link]) => `${url}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test('marks of removable parts are not shown', () => {
  const markdown = '<!-- part: service -->\ntext <!-- part: service -->\n<!-- end: service -->\n';
  expect(renderDocument('docs/new.md', { ...options, markdown }).html).toBe('<p>text</p>\n');
});

test('the README is the first page, and a folder’s README its index', () => {
  expect(documents.map(urlOf)[0]).toBe('/index.html');
  expect(urlOf('lib/tracker/README.md')).toBe('/lib/tracker/index.html');
});

// part: service
test('each section of the contract with rules has its tests', () => {
  const sections = testsBySection('tests/contract');
  expect(Object.keys(sections)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
  expect(sections['3']?.map(({ title }) => title)).toContain('a repeat browser signup: 200 with provisional: true');
});
// end: service
