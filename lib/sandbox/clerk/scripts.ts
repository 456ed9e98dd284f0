import 'server-only';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

// The unmodified browser bundles, from the packages of the same name (devDependencies, the sandbox's only use of them).
const PACKAGES = new Map([
  ['clerk-js', '@clerk/clerk-js'],
  ['ui', '@clerk/ui'],
]);
const FILE = /^[\w-]+(\.[\w-]+)*\.js$/;
const CHUNK = /_[0-9a-f]{6}_\d+\.\d+\.\d+\.js$/; // its name changes with its content
const CACHE = { chunk: 'public, max-age=31536000, immutable', alias: 'public, max-age=3600' };

/** Where `npm/@clerk/<package>@<version>/dist/<file>` lies in node_modules, or null. */
export function resolveScript(segments: readonly string[]): { packageName: string; file: string } | null {
  const [npm, scope, versioned = '', dist, file = '', ...rest] = segments;
  const packageName = PACKAGES.get(versioned.split('@')[0] ?? '');
  const isPath = npm === 'npm' && scope === '@clerk' && dist === 'dist' && rest.length === 0;
  return isPath && packageName && FILE.test(file) ? { packageName, file } : null;
}

/** Serves clerk-js and its components, as Clerk's CDN does. */
export async function serveScript(segments: readonly string[]): Promise<Response> {
  const script = resolveScript(segments);
  if (!script) return new Response('Not found', { status: 404 });
  const { packageName, file } = script;
  const location = path.join(/* turbopackIgnore: true */ process.cwd(), 'node_modules', packageName, 'dist', file);
  const content = await readFile(/* turbopackIgnore: true */ location).catch(() => null);
  if (!content) return new Response('Not found', { status: 404 });
  return new Response(new Uint8Array(content), {
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': CHUNK.test(file) ? CACHE.chunk : CACHE.alias,
    },
  });
}
