// What refers to a removed part from files that stay: package.json, the lint rules, and tables and lists in the documents.
import path from 'node:path';
import { editText, stripPart } from './strip.mjs';

/** @typedef {import('./parts.mjs').Part} Part */

/** The name of the package, until a user of it chooses another. */
export const THIS_PROJECT = 'partner-attribution-reference';

/** @param {Part} part @returns what tells whether a file is removed with it */
export const removedWith = (part) => (/** @type {string} */ file) =>
  part.paths.some((gone) => file === gone || file.startsWith(`${gone}/`));

/**
 * The text of a file that stays, without the part, and the edits whose passage is not there.
 * @param {string} before @param {string} file its path @param {string} name of the part @param {Part} part
 */
export function editFile(before, file, name, part) {
  const { text, missed } = editText(before, part.edits[file] ?? []);
  const stripped = stripPart(text, name);
  if (file.endsWith('.md')) {
    return { text: dropReferences(stripped, file, { isRemoved: removedWith(part), scripts: part.scripts }), missed };
  }
  return { text: stripped === text ? text : stripped.replace(/\n{3,}/g, '\n\n'), missed };
}

/**
 * package.json without the part's scripts, packages and folders.
 * @param {any} manifest @param {{ scripts: string[], dependencies: string[] }} part
 * @param {{ isPresent: (file: string) => boolean, name?: string | undefined }} options
 */
export function editManifest(manifest, { scripts, dependencies }, { isPresent, name }) {
  const without = (/** @type {Record<string, string>} */ entries, /** @type {string[]} */ names) =>
    Object.fromEntries(Object.entries(entries).filter(([key]) => !names.includes(key)));
  const isKept = (/** @type {string} */ command) => !scripts.some((script) => command === `npm run ${script}`);
  const commands = Object.entries(without(manifest.scripts, scripts)).flatMap(([key, command]) => {
    const kept = command.split(' && ').filter(isKept);
    return kept.length > 0 ? [[key, kept.join(' && ')]] : [];
  });
  return {
    ...manifest,
    // A name that you have chosen stays.
    ...(name && manifest.name === THIS_PROJECT && { name: packageName(name) }),
    workspaces: manifest.workspaces.filter(isPresent),
    scripts: Object.fromEntries(commands),
    dependencies: without(manifest.dependencies, dependencies),
    devDependencies: without(manifest.devDependencies, dependencies),
  };
}

/** @param {string} name of the product, in any script @returns one that npm accepts */
const packageName = (name) =>
  name
    .toLowerCase()
    .match(/[a-z0-9]+/g)
    ?.join('-') ?? 'app';

/**
 * The lint rules without those for the part's files, and without the patterns that forbid importing them.
 * @param {any} rules @param {string[]} fences
 */
export function editLintRules(rules, fences) {
  const isKept = (/** @type {string} */ pattern) => !fences.some((word) => pattern.includes(word));
  const overrides = rules.overrides.flatMap((/** @type {any} */ override) => {
    const includes = override.includes.filter(isKept);
    if (includes.length === 0) return [];
    const options = override.linter?.rules?.style?.noRestrictedImports?.options;
    if (!options) return [{ ...override, includes }];
    const patterns = options.patterns
      .map((/** @type {any} */ entry) => ({ ...entry, group: entry.group.filter(isKept) }))
      .filter((/** @type {any} */ entry) => entry.group.length > 0);
    if (patterns.length === 0) return [];
    const edited = structuredClone({ ...override, includes });
    edited.linter.rules.style.noRestrictedImports.options.patterns = patterns;
    return [edited];
  });
  return { ...rules, overrides };
}

const LINK = /\[(?:[^[\]]|\[[^\]]*\])*\]\((?:<([^>]+)>|([^()\s]+))\)/g;
const PATH = /`([^`\s]+)`/g;
const COMMAND = /`npm run ([\w:-]+)`/g;

/**
 * A document without the rows and list items that are about removed files or commands, and without links to them.
 * @param {string} markdown @param {string} document its path
 * @param {{ isRemoved: (file: string) => boolean, scripts: string[] }} gone
 */
export function dropReferences(markdown, document, { isRemoved, scripts }) {
  const folder = path.posix.dirname(document);
  const isGoneLink = (/** @type {string} */ target) =>
    !/^([a-z]+:|#)/.test(target) && isRemoved(path.posix.join(folder, target.replace(/#.*/, '')));
  const isGonePath = (/** @type {string} */ text) => isRemoved(text) || isRemoved(path.posix.join(folder, text));
  const lines = markdown.split('\n').flatMap((line) => {
    if (!/^(\||\s*- )/.test(line)) return [line];
    const command = line.startsWith('|') ? [...(line.split('|')[1] ?? '').matchAll(COMMAND)] : [];
    if (command.some(([, script = '']) => scripts.includes(script))) return [];
    const links = [...line.matchAll(LINK)].map(([text, bracketed, bare]) => ({
      text,
      target: bracketed ?? bare ?? '',
    }));
    const paths = [...line.replace(LINK, '').matchAll(PATH)]
      .map(([, text = '']) => text)
      .filter((text) => /^[\w(.]/.test(text));
    const goneLinks = links.filter(({ target }) => isGoneLink(target));
    const gonePaths = paths.filter(isGonePath);
    const kept = links.length - goneLinks.length + paths.filter((text) => /\//.test(text) && !isGonePath(text)).length;
    if (goneLinks.length + gonePaths.length > 0 && kept === 0) return [];
    return [
      goneLinks.reduce(
        (edited, { text }) => edited.replace(`, ${text}`, '').replace(`${text}, `, '').replace(text, ''),
        line,
      ),
    ];
  });
  return lines.join('\n').replace(/\n{3,}/g, '\n\n');
}

/**
 * A changelog with the removal in it. Its entries are history and stay; their links to removed files become text.
 * @param {string} changelog @param {string} what was removed @param {(file: string) => boolean} isRemoved
 */
export function recordRemoval(changelog, what, isRemoved) {
  const history = changelog.replace(LINK, (link, bracketed, bare) =>
    isRemoved((bracketed ?? bare).replace(/#.*/, '')) ? link.slice(1, link.lastIndexOf('](')) : link,
  );
  const entry = `- ${what.charAt(0).toUpperCase()}${what.slice(1)}.`;
  const blocks = history.trimEnd().split(/\n+(?=###? )/);
  if (!blocks.includes('## Unreleased')) blocks.splice(1, 0, '## Unreleased');
  const first = blocks.indexOf('## Unreleased') + 1;
  const next = blocks.findIndex((block, index) => index >= first && block.startsWith('## '));
  const removed = blocks
    .slice(0, next < 0 ? undefined : next)
    .findLastIndex((block) => block.startsWith('### Removed\n'));
  if (removed < first) blocks.splice(first, 0, `### Removed\n\n${entry}`);
  else {
    const [heading, ...entries] = (blocks[removed] ?? '').split(/\n+(?=- )/);
    blocks[removed] = `${heading}\n\n${[...entries, entry].toSorted().join('\n')}`;
  }
  return `${blocks.join('\n\n')}\n`;
}

/**
 * A style sheet without the utilities and animations that nothing uses any more.
 * @param {string} css @param {string} markup the text of every file that may name a utility
 */
export function dropUnusedStyles(css, markup) {
  const code = markup.replace(/^\s*(\/\/|\/\*|\*).*$/gm, ''); // a comment's words are no utilities
  const isUsed = (/** @type {string} */ name, /** @type {string} */ text) =>
    new RegExp(`\\b${name}(?![\\w-])`).test(text);
  const block = (/** @type {string} */ kind) =>
    new RegExp(`\\n(/\\*[^*]*\\*/\\n)?@${kind} ([\\w-]+) \\{\\n[^]*?\\n\\}\\n`, 'g');
  const utilities = css.replace(block('utility'), (text, _comment, name) => (isUsed(name, code) ? text : ''));
  return utilities.replace(block('keyframes'), (text, _comment, name) =>
    isUsed(`animation: ${name}`, utilities) ? text : '',
  );
}

/**
 * The components that no file imports, and those that only they import.
 * @param {Map<string, string>} sources text by path @param {string} folder
 */
export function findUnusedComponents(sources, folder) {
  const remaining = new Map(sources);
  const base = (/** @type {string} */ file) => path.posix.basename(file).replace(/(\.test)?\.tsx?$/, '');
  for (;;) {
    const unused = [...remaining.keys()]
      .filter((file) => path.posix.dirname(file) === folder)
      .filter((file) => {
        const imported = new RegExp(
          `['"](@/${folder}|\\.|\\.\\./${path.posix.basename(folder)})/${base(file)}(\\.tsx?)?['"]`,
        );
        return ![...remaining].some(
          ([other, text]) =>
            !(path.posix.dirname(other) === folder && base(other) === base(file)) && imported.test(text),
        );
      });
    if (unused.length === 0) return [...sources.keys()].filter((file) => !remaining.has(file));
    for (const file of unused) remaining.delete(file);
  }
}
