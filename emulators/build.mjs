// Bundles the emulators: the program, and the browser scripts of its pages. Dependencies stay in node_modules.
//   node emulators/build.mjs --pack     into dist/, as the package is published
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const ROOT = import.meta.dirname;
const BUILD = '.build-'; // beside the sources' folders, so that both find vendor/ one level up
const DAY_MS = 86_400_000;

/** Every `browser/*.ts` is a script of its own, named after its file. */
function browserScripts() {
  return readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(^|\/)browser\/[a-z-]+\.ts$/.test(file) && !/^(\.build-|node_modules\/|dist\/)/.test(file))
    .map((file) => path.join(ROOT, file));
}

const stylesheets = () => ['core/style.css', 'control-room/control-room.css'].map((file) => path.join(ROOT, file));

async function bundle() {
  const program = await build({
    entryPoints: { cli: path.join(ROOT, 'cli.ts') },
    outExtension: { '.js': '.mjs' },
    outdir: ROOT,
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: 'inline',
    sourcesContent: false,
    write: false,
    logLevel: 'error',
  });
  const pages = await build({
    entryPoints: [...browserScripts(), ...stylesheets()],
    entryNames: 'assets/[name]',
    outdir: ROOT,
    bundle: true,
    minify: true,
    target: 'es2022',
    format: 'iife',
    write: false,
    logLevel: 'error',
  });
  return [...program.outputFiles, ...pages.outputFiles].map(({ path: file, contents }) => ({
    name: path.relative(ROOT, file),
    contents,
  }));
}

/** @param {Array<{ name: string, contents: Uint8Array }>} files @param {string} directory */
function write(files, directory) {
  for (const { name, contents } of files) {
    mkdirSync(path.dirname(path.join(directory, name)), { recursive: true });
    writeFileSync(path.join(directory, name), contents);
  }
}

/**
 * Builds what the sources are now, into a folder named for its content, so that two starts at once do not disturb each
 * other.
 * @returns {Promise<string>} the program to run
 */
export async function buildProgram() {
  const files = await bundle();
  const hash = createHash('sha256');
  for (const { contents } of files) hash.update(contents);
  const directory = path.join(ROOT, BUILD + hash.digest('hex').slice(0, 16));
  if (!existsSync(directory)) {
    for (const old of readdirSync(ROOT).filter((name) => name.startsWith(BUILD))) {
      const place = path.join(ROOT, old);
      if (Date.now() - statSync(place).mtimeMs > DAY_MS) rmSync(place, { recursive: true, force: true });
    }
    const scratch = mkdtempSync(path.join(ROOT, `${BUILD}new-`));
    write(files, scratch);
    try {
      renameSync(scratch, directory);
    } catch {
      rmSync(scratch, { recursive: true, force: true }); // another start has built the same
    }
  }
  return path.join(directory, 'cli.mjs');
}

if (process.argv.includes('--pack')) {
  rmSync(path.join(ROOT, 'dist'), { recursive: true, force: true });
  write(await bundle(), path.join(ROOT, 'dist'));
}
