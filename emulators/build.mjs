// Bundles the emulators: the program, and the browser scripts of its pages. Dependencies stay in node_modules.
//   node emulators/build.mjs --pack     into dist/, as the package is published
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

const ROOT = import.meta.dirname;
const BUILD = '.build-'; // next to the source folders, so that both find vendor/ one level up
const NO_SOURCES = new Set(['node_modules', 'vendor', 'dist', 'testing']);
const START_LIMIT_MS = 60_000;

/** What is bundled, and what decides how: paths in this folder. */
function listSources() {
  const isSource = (/** @type {string} */ file) =>
    /\.(tsx?|css|mjs|json)$/.test(file) && !file.split(path.sep).some((name) => NO_SOURCES.has(name));
  return readdirSync(ROOT, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && !NO_SOURCES.has(name))
    .flatMap((entry) =>
      entry.isDirectory()
        ? readdirSync(path.join(ROOT, entry.name), { recursive: true, encoding: 'utf8' }).map((name) =>
            path.join(entry.name, name),
          )
        : [entry.name],
    )
    .filter((file) => isSource(file) && !/\.test\.tsx?$/.test(file))
    .sort();
}

/** Every `browser/*.ts` is a script of its own, named after its file. */
const browserScripts = () =>
  listSources()
    .filter((file) => /(^|\/)browser\/[a-z-]+\.ts$/.test(file))
    .map((file) => path.join(ROOT, file));

const stylesheets = () => ['core/style.css', 'control-room/control-room.css'].map((file) => path.join(ROOT, file));

/** @param {{ isPacked: boolean }} options the package has no sources, so its program has no map to them */
async function bundle({ isPacked }) {
  const { build } = await import('esbuild');
  const program = await build({
    entryPoints: { cli: path.join(ROOT, 'cli.ts') },
    outExtension: { '.js': '.mjs' },
    outdir: ROOT,
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: isPacked ? false : 'inline',
    sourceRoot: '../', // from a build's folder; Node joins it with a source as it is
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
 * Builds the current sources, unless an earlier start did: a build's folder is named for the content of the sources,
 * so that two starts at once do not disturb each other.
 * @returns {Promise<string>} the program to run
 */
export async function buildProgram() {
  const hash = createHash('sha256');
  for (const file of listSources()) hash.update(`${file}\0`).update(readFileSync(path.join(ROOT, file)));
  const directory = path.join(ROOT, BUILD + hash.digest('hex').slice(0, 16));
  if (existsSync(directory)) {
    utimesSync(directory, new Date(), new Date());
  } else {
    const files = await bundle({ isPacked: false });
    removeOldBuilds();
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

/** A running program has read its whole build when it started; only one that is still starting needs it. */
function removeOldBuilds() {
  for (const name of readdirSync(ROOT).filter((entry) => entry.startsWith(BUILD))) {
    const place = path.join(ROOT, name);
    const lastStart = statSync(place, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (Date.now() - lastStart > START_LIMIT_MS) rmSync(place, { recursive: true, force: true });
  }
}

if (process.argv.includes('--pack')) {
  rmSync(path.join(ROOT, 'dist'), { recursive: true, force: true });
  write(await bundle({ isPacked: true }), path.join(ROOT, 'dist'));
}
