// What belongs to one part of the project inside a file that stays is marked there by comments. A region:
//   `// part: NAME`
//   …
//   `// end: NAME`
// and a single line: `… // part: NAME` at its end. `part: NAME, OTHER` goes with whichever of them is removed first, and
// `part: NAME + OTHER` with the last. Every kind of comment works: //, #, <!-- -->, /* */, {/* */}.

const OPEN = String.raw`(?:\/\/|#|<!--|\{?\/\*)\s*`;
const CLOSE = String.raw`\s*(?:-->|\*\/\}?)?\s*$`;
const NAMES = String.raw`([\w-]+(?:, [\w-]+)*)`;

const BEGIN = new RegExp(`^\\s*${OPEN}part: ${NAMES}${CLOSE}`);
const END = new RegExp(`^\\s*${OPEN}end: ${NAMES}${CLOSE}`);
const LINE = new RegExp(`^\\s*\\S.*${OPEN}part: ${NAMES}${CLOSE}`);
const NEEDED_BY = /\b(part|end): ([\w-]+(?: \+ [\w-]+)+)/g;

/**
 * A file's text without what is marked as a part's.
 * @param {string} text @param {string} part
 */
export function stripPart(text, part) {
  if (!/\b(part|end): /.test(text)) return text;
  /** @type {string[]} the names of each region that is open */
  const open = [];
  const namesIn = (/** @type {RegExp} */ pattern, /** @type {string} */ line) => pattern.exec(line)?.[1];
  const isOfPart = (/** @type {string | undefined} */ names) => names?.split(', ').includes(part) ?? false;
  const needed = text.replace(NEEDED_BY, (_, kind, names) => {
    const others = names.split(' + ').filter((/** @type {string} */ name) => name !== part);
    return `${kind}: ${others.join(' + ')}`;
  });
  const kept = needed.split('\n').filter((line) => {
    const begun = namesIn(BEGIN, line);
    if (begun) open.push(begun);
    const isKept = !open.some(isOfPart) && (begun !== undefined || !isOfPart(namesIn(LINE, line)));
    const ended = namesIn(END, line);
    if (ended && open.pop() !== ended) throw new Error(`"end: ${ended}" without a beginning.`);
    return isKept;
  });
  if (open.length > 0) throw new Error(`"part: ${open.at(-1)}" without an end.`);
  return kept.join('\n');
}

/** @typedef {[from: string, to: string]} Edit */

/**
 * A file's text with some passages replaced, and the edits whose passage is not there.
 * @param {string} text @param {Edit[]} edits
 */
export function editText(text, edits) {
  /** @type {Edit[]} */
  const missed = [];
  const edited = edits.reduce((before, [from, to]) => {
    if (before.includes(from)) return before.replace(from, () => to);
    missed.push([from, to]);
    return before;
  }, text);
  return { text: edited, missed };
}

/**
 * A file's text with each of these texts replaced wherever it stands.
 * @param {string} text @param {ReadonlyArray<readonly [from: string, to: string]>} texts
 */
export const replaceTexts = (text, texts) =>
  texts.reduce((edited, [from, to]) => edited.replaceAll(from, () => to), text);

/** A changelog without its entries: they are those of this project, and what remains is another. @param {string} changelog */
export const beginHistory = (changelog) => changelog.replace(/^(## Unreleased\n).*$/ms, '$1');
