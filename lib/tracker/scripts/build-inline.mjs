// Makes src/inline-script.ts from src/inline.ts: npm run build:inline -w @svc/tracker
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';

const source = path.resolve(import.meta.dirname, '../src');

/** The minified script, and the file that holds it. */
export async function buildInlineScript() {
  const { outputFiles } = await build({
    entryPoints: [path.join(source, 'inline.ts')],
    bundle: true,
    minify: true,
    format: 'esm', // a module has a scope of its own
    target: 'es2022',
    legalComments: 'none',
    tsconfigRaw: {},
    write: false,
  });
  const script = (outputFiles[0]?.text ?? '').trim();
  const hash = `sha256-${createHash('sha256').update(script).digest('base64')}`;
  const literal = script.replace(/[\\`$]/g, '\\$&');
  const module = `// Generated from inline.ts by scripts/build-inline.mjs. Do not edit; a test compares it with its source.

/** The tracker as the text of an inline script. */
export const TRACKER_SCRIPT = \`${literal}\`;

/** Allows this script, and no other inline one, in a Content-Security-Policy: \`script-src 'self' '\${TRACKER_SCRIPT_HASH}'\`. */
export const TRACKER_SCRIPT_HASH = '${hash}';
`;
  return { script, hash, module };
}

if (process.argv[1] === import.meta.filename) {
  const { module, script } = await buildInlineScript();
  await writeFile(path.join(source, 'inline-script.ts'), module);
  console.log(`src/inline-script.ts: ${Buffer.byteLength(script)} bytes`);
}
