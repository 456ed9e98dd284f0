// Part of `npm run lint`: fails on words and phrases that a native engineer would not write (CONTRIBUTING.md, Rules),
// and on imports in a second style.
// A line that has to hold one of them, such as a license or another product's name, is in a file of EXEMPT.
import { readFileSync } from 'node:fs';
import { listFiles } from './git-files.mjs';

/** What is found, and what to write instead. @type {Array<[pattern: RegExp, instead: string]>} */
const PHRASES = [
  [/\bwhom\b/i, 'an active sentence: "visitors who were not referred"'],
  [/\bnobody('s)?\b/i, 'no one, or say what does not happen'],
  [/\b(some|any|every)body('s)?\b/i, 'the role: a user, a caller, a visitor'],
  [/\bwhoever\b/i, 'the role: a user, a caller, a visitor'],
  [/\be-mails?\b/i, 'email'],
  [/\b(thereof|therein|hereby|lest|whence)\b/i, 'plain words'],
  [/\bcomes? to be\b/i, 'is created'],
  [/\bfalls? due\b/i, 'is due'],
  [/\bmetadata (are|have|were)\b/i, 'metadata is, has, was'],
  [/\bof (hers|theirs)\b/i, 'the owner: "her cart", "their account"'],
  [/\bin a world of\b|\bwhose world\b/i, 'test mode, live mode'],
  [/\bat your command\b/i, 'what it does'],
  [/\bstand-ins?\b/i, 'the name of the thing'],
  [/\bput in line\b/i, 'enqueued'],
  [/\b(go(es|ing)?|went|gone) on\b/i, 'continues, has not ended, is forwarded'],
  [/\banswer(s|ed|ing)?( with| by)? ([1-5]\d\d\b|[2-5]xx\b|\$\{)/i, 'responds with: an HTTP response is no answer'],
  [/\bpreflights? (is|are|was|were) answered\b/i, 'whether the preflight succeeds'],
  [
    /\bsettl(es?|ed|ing) (an?|the|its) (charge|debit|dispute|invoice|payment|refund)\b/i,
    'pays, processes: only a lead is settled',
  ],
  [
    /colour|behaviour|catalogue|cancell(ed|ing)|licence|labelled\b|(authori|customi|initiali|internationali|locali|minimi|normali|optimi|organi|recogni|seriali|summari)s(ed?|es|ing|ation)/i,
    'the American spelling, as Stripe and Clerk do',
  ],
];

/** `.node` alone would be the ending of a native module. @type {typeof PHRASES} */
const IMPORTS = [
  [/(?:from|import\(?|[mM]ock\(|importActual\() ?'(?:\.|@\/)[^']*(?<!\.node)\.tsx?'/, 'the path without its ending'],
];
/** The tracker's compiler writes the endings of its package. */
const HAS_IMPORTS = /^(?!lib\/tracker\/).*\.tsx?$/;

const EXEMPT = /^(LICENSE|.*\/LICENSE|package-lock\.json|docs\/contract\.md|scripts\/lint-words(\.test)?\.m?[jt]s)$/;
const READ = /\.(ts|tsx|mjs|js|md|prisma|sql|yaml|yml|css|json)$|^\.env\.example$|^Dockerfile$/;

/**
 * Where a text holds one of the phrases. Code that quotes an identifier, such as a customer named `nobody` in a test, is no
 * prose: quoted single words do not count.
 * @param {string} text
 * @param {string} [file] its path
 */
export function findPhrases(text, file = '') {
  const phrases = HAS_IMPORTS.test(file) ? [...PHRASES, ...IMPORTS] : PHRASES;
  return text.split('\n').flatMap((line, index) => {
    const prose = line.replace(/(['"`=])[\w-]+(?=['"`&]|$)/g, '$1');
    return phrases.flatMap(([pattern, instead]) => {
      const found = pattern.exec(prose)?.[0];
      return found ? [{ line: index + 1, found, instead }] : [];
    });
  });
}

/** The project's files, as git sees them; none in a copy without a repository. */
function projectFiles() {
  try {
    return listFiles().filter((file) => READ.test(file) && !EXEMPT.test(file));
  } catch {
    return [];
  }
}

if (process.argv[1] === import.meta.filename) {
  for (const file of projectFiles()) {
    for (const { line, found, instead } of findPhrases(readFileSync(file, 'utf8'), file)) {
      console.error(`${file}:${line} "${found}": write ${instead}`);
      process.exitCode = 1;
    }
  }
}
