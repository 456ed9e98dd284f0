// Builds the gallery: a document for every state, the stylesheets and fonts they use, and one page that shows them all.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import tailwind from '@tailwindcss/postcss';
import { build } from 'esbuild';
import postcss from 'postcss';
import { describeApp } from '../control-room/profile.mjs'; // part: emulators
import { ODD } from './odd-values.mjs'; // part: emulators

const ROOT = path.resolve(import.meta.dirname, '../..');
const FONTS = path.join(ROOT, 'node_modules/geist/dist/fonts');

/** @typedef {{ name: string, html: string }} Page */

/** What Next does to modules that only a server may load: actions become references, and nothing of them is called. @type {import('esbuild').Plugin} */
const serverModules = {
  name: 'server-modules',
  setup(bundle) {
    bundle.onResolve({ filter: /^server-only$/ }, () => ({ path: 'server-only', namespace: 'empty' }));
    // The tracker's package is TypeScript here: it is bundled, too.
    bundle.onResolve({ filter: /^@svc\// }, ({ path: name }) => ({
      path: createRequire(import.meta.url).resolve(name),
    }));
    bundle.onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: '' }));
    bundle.onLoad({ filter: /actions\.ts$/ }, ({ path: file }) => {
      const source = readFileSync(file, 'utf8');
      if (!source.startsWith("'use server'")) return null;
      const names = [...source.matchAll(/^export async function (\w+)/gm)].map(([, name]) => name);
      return { contents: names.map((name) => `export async function ${name}() {}`).join('\n'), loader: 'ts' };
    });
  },
};

/**
 * Bundles a module and runs it.
 * @param {string} entry @param {import('esbuild').BuildOptions} options @returns {Promise<any>} its exports
 */
async function run(entry, options) {
  const directory = mkdtempSync(path.join(ROOT, 'node_modules/.gallery-')); // where its packages are found
  const isModule = options.format === 'esm';
  const outfile = path.join(directory, isModule ? 'pages.mjs' : 'pages.cjs');
  try {
    await build({
      entryPoints: [path.join(import.meta.dirname, entry)],
      outfile,
      bundle: true,
      packages: 'external',
      platform: 'node',
      target: 'node20',
      logLevel: 'error',
      define: { 'process.env.NODE_ENV': '"production"' },
      ...options,
    });
    return isModule ? await import(pathToFileURL(outfile).href) : createRequire(import.meta.url)(outfile);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Geist, which Next's font loader would declare. */
const FONT_FACES = `
@font-face { font-family: Geist; src: url(/geist-sans/Geist-Variable.woff2); font-weight: 100 900; }
@font-face { font-family: GeistMono; src: url(/geist-mono/GeistMono-Variable.woff2); font-weight: 100 900; }`;

async function appStyles() {
  const from = path.join(ROOT, 'app/globals.css');
  const { css } = await postcss([tailwind({ base: ROOT })]).process(readFileSync(from, 'utf8'), { from });
  return `${FONT_FACES} :root { --font-geist-sans: Geist; --font-geist-mono: GeistMono; } ${css}`;
}

// part: emulators
const EMULATORS = path.join(ROOT, 'emulators');

/** The pages of an instance of the emulators, rendered by its own routes. @returns {Promise<Page[]>} */
async function emulatorPages() {
  const { openPages } = await run('../../emulators/testing/gallery.ts', {
    format: 'esm',
    tsconfig: path.join(EMULATORS, 'tsconfig.json'),
    define: { 'import.meta.dirname': JSON.stringify(path.join(EMULATORS, 'core')) },
  });
  return openPages({ ...describeApp({}), root: ROOT }, ODD);
}

/** A stylesheet of the emulators. They use the system's fonts, which differ from machine to machine: here they use the app's. */
async function emulatorStyles(/** @type {string} */ file) {
  const { outputFiles } = await build({
    entryPoints: [path.join(EMULATORS, file)],
    bundle: true,
    write: false,
    logLevel: 'error',
  });
  const [css] = outputFiles.map(({ text }) => text);
  return (css ?? '')
    .replace(/--mono:[^;]+;/, '--mono: GeistMono, monospace;')
    .replace(/(font:\s*0?\.9375rem\s*\/\s*1\.5)[^;}]+/, '$1 Geist, sans-serif');
}
// end: emulators

/** One page with every state in a frame. @param {Page[]} pages */
const indexOf = (pages) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Gallery</title>
<style>
:root { color-scheme: light dark; font-family: system-ui, sans-serif; }
body { margin: 1.5rem; }
ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(20rem, 1fr)); gap: 1.5rem; padding: 0; list-style: none; }
div { height: 14rem; overflow: hidden; border: 1px solid; }
iframe { width: 1280px; height: 900px; border: 0; transform: scale(0.25); transform-origin: 0 0; }
</style></head><body><main><h1>${pages.length} states</h1><ul>${pages
  .map(
    ({ name }) =>
      `<li><a href="/${name}">${name}</a><div inert><iframe src="/${name}" title="${name}" loading="lazy"></iframe></div></li>`,
  )
  .join('')}</ul></main></body></html>`;

/** Every file of the gallery by its path in a URL. */
export async function buildGallery() {
  const [{ pages: appPages }, css, ofEmulators] = await Promise.all([
    run('render.tsx', { format: 'cjs', plugins: [serverModules] }),
    appStyles(),
    emulatorPages(), // part: emulators
  ]);
  /** @type {Page[]} */
  const pages = [
    ...appPages,
    ...ofEmulators, // part: emulators
  ];
  /** @type {Map<string, { type: string, content: string | Buffer }>} */
  const files = new Map();
  for (const { name, html } of [{ name: '', html: indexOf(pages) }, ...pages]) {
    files.set(encodeURI(`/${name}`), { type: 'text/html; charset=utf-8', content: html });
  }
  for (const name of ['geist-sans/Geist-Variable.woff2', 'geist-mono/GeistMono-Variable.woff2']) {
    files.set(`/${name}`, { type: 'font/woff2', content: readFileSync(path.join(FONTS, name)) });
  }
  const addStyle = (/** @type {string} */ name, /** @type {string} */ content) =>
    files.set(name, { type: 'text/css; charset=utf-8', content });
  addStyle('/app.css', css);
  // part: emulators
  addStyle('/assets/style.css', FONT_FACES + (await emulatorStyles('core/style.css')));
  addStyle('/assets/control-room.css', await emulatorStyles('control-room/control-room.css'));
  // end: emulators
  return files;
}
