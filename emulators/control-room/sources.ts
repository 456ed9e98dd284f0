// Which code sends a message and which handles it: the app's own table, and the route files of a Next app. Reads nothing
// outside the project's folder.
import { existsSync, readdirSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { isMatch, type Place, type Profile } from '../core/profile';
import type { Message } from '../core/trace';

export type Source = { role: 'Sent by' | 'Handled by'; file: string; find: string };
export type SourceText = { file: string; absolute: string; line: number; lines: string[] };

const ROUTE = /(^|\/)(route|page)(\.[\w-]+)?\.[jt]sx?$/;

/** The sender's code and the receiver's, as far as they are known. */
export function findSources(message: Message, profile: Profile, routes: readonly string[]): Source[] {
  const entries = profile.sources.filter((entry) => isMatch(message, entry));
  const sentBy = entries.find((entry) => entry.sentBy)?.sentBy;
  const route = message.to === 'app' || message.to === 'service' ? findRoute(message, routes) : null;
  const handledBy = route ?? entries.find((entry) => entry.handledBy)?.handledBy;
  return [
    ...(sentBy ? [{ role: 'Sent by' as const, ...sentBy }] : []),
    ...(handledBy ? [{ role: 'Handled by' as const, ...handledBy }] : []),
  ];
}

/** The route or page file of a Next app that serves a path; of several, the one with the fewest parameters. */
export function findRoute(
  { method, path: asked }: Pick<Message, 'method' | 'path'>,
  routes: readonly string[],
): Place | null {
  const segments = (asked.split('?')[0] ?? '').split('/').filter(Boolean);
  const candidates = routes
    .map((file) => ({ file, score: scoreOf(patternOf(file), segments) }))
    .filter((candidate): candidate is { file: string; score: number } => candidate.score !== null)
    .sort((a, b) => b.score - a.score || Number(isPage(a.file)) - Number(isPage(b.file)));
  const file = candidates[0]?.file;
  if (!file) return null;
  return { file, find: isPage(file) ? 'export default' : method };
}

const isPage = (file: string): boolean => /(^|\/)page(\.[\w-]+)?\.[jt]sx?$/.test(file);

/** `app/(shop)/api/x/[id]/route.ts` → ['api', 'x', '[id]'] */
const patternOf = (file: string): string[] =>
  file
    .split('/')
    .slice(1, -1)
    .filter((segment) => segment !== 'app' && !/^[(@]/.test(segment));

/** How exactly a pattern matches; null if it does not. */
function scoreOf(pattern: readonly string[], segments: readonly string[]): number | null {
  let score = 0;
  for (const [index, part] of pattern.entries()) {
    if (part.startsWith('[[...')) return score;
    if (part.startsWith('[...')) return segments.length > index ? score : null;
    const segment = segments[index];
    if (segment === undefined) return null;
    if (part.startsWith('[')) score += 1;
    else if (part === segment) score += 10;
    else return null;
  }
  return pattern.length === segments.length ? score + 1 : null;
}

/** The files in which a Next app has its routes and pages, relative to `root`. */
export function listRoutes(root: string | undefined): string[] {
  if (!root) return [];
  const folder = ['app', 'src/app'].find((name) => existsSync(path.join(root, name)));
  if (!folder) return [];
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join(folder, name.replaceAll('\\', '/')))
    .filter((file) => ROUTE.test(file));
}

/** A file of the project with the line that `find` is on; null if there is none. */
export async function readSource(root: string | undefined, { file, find }: Place): Promise<SourceText | null> {
  if (!root) return null;
  const [base, absolute] = await Promise.all(
    [root, path.join(root, file)].map((name) => realpath(name).catch(() => null)),
  );
  const isInside = base && absolute?.startsWith(base + path.sep);
  if (!absolute || !isInside || !/\.(tsx?|m?js|prisma)$/.test(absolute) || absolute.includes('node_modules'))
    return null;
  const lines = (await readFile(absolute, 'utf8')).split('\n');
  return { file, absolute, line: lineOf(lines, find), lines };
}

/** The line, from 1, that declares `find`, else the first that contains it, else 1. */
export function lineOf(lines: readonly string[], find: string): number {
  const declared = lines.findIndex((line) =>
    new RegExp(`\\b(function|const|class|type)\\s+\\{?[^=]*\\b${find.replace(/[^\w$]/g, '\\$&')}\\b`).test(line),
  );
  const index = declared >= 0 ? declared : lines.findIndex((line) => line.includes(find));
  return Math.max(index, 0) + 1;
}
