import { readFileSync } from 'node:fs';
import vm from 'node:vm';
import { describe, expect, test } from 'vitest';
import { coveredBy, listDocuments, renderDocument, testsBySection, urlOf } from './read-docs.mjs';

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

test('the tests of a section are counted', () => {
  const tests = ['a', '`b` [c]'].map((title) => ({ file: 'tests/x.test.ts', title }));
  expect(coveredBy(tests)).toContain('Covered by 2 tests');
  expect(coveredBy(tests)).toContain('- [b c](../tests/x.test.ts)');
  expect(coveredBy(tests.slice(1))).toContain('Covered by 1 test<');
});

describe('the search', () => {
  /** The script on a page with these documents; `isUp` is whether they can be read. */
  function openPage(texts: string[]) {
    const server = { isUp: true };
    let type = async () => {};
    const input = { value: '', addEventListener: (_: string, listener: typeof type) => (type = listener) };
    const results = {
      hidden: true,
      listed: 0,
      replaceChildren: (...items: object[]) => (results.listed = items.length),
    };
    const found = { textContent: '' };
    const elements: Record<string, object> = { 'input[type=search]': input, '#results': results, '#found': found };
    const document = {
      querySelector: (selector: string) => elements[selector],
      createElement: () => ({ append: () => {} }),
    };
    const index = texts.map((text) => ({ url: '/', title: 'Page', text }));
    const fetch = async () => (server.isUp ? { json: async () => index } : Promise.reject(new Error('offline')));
    vm.runInNewContext(readFileSync('scripts/docs/search.js', 'utf8'), { document, fetch });
    const search = async (value: string) => {
      input.value = value;
      await type();
      return { hidden: results.hidden, listed: results.listed, status: found.textContent };
    };
    return { server, search };
  }

  test('announces the number of pages that match', async () => {
    const { search } = openPage(['one', ...Array<string>(13).fill('many')]);
    expect(await search('one')).toEqual({ hidden: false, listed: 1, status: '1 match' });
    expect(await search('many')).toEqual({ hidden: false, listed: 12, status: '12 of 13 matches' });
    expect(await search('none')).toEqual({ hidden: true, listed: 0, status: 'No matches' });
    expect(await search(' ')).toEqual({ hidden: true, listed: 0, status: '' });
  });

  test('tries again with the next key where its index could not be read', async () => {
    const { server, search } = openPage(['one']);
    server.isUp = false;
    expect((await search('o')).status).toContain('not available');
    server.isUp = true;
    expect((await search('on')).status).toBe('1 match');
  });
});

// part: service
test('each section of the contract with rules has its tests', () => {
  const sections = testsBySection('tests/contract');
  expect(Object.keys(sections)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
  expect(sections['3']?.map(({ title }) => title)).toContain('a repeat browser signup: 200 with provisional: true');
});
// end: service
