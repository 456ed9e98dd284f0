// What the browser downloads: the tracker's own bytes, and the JavaScript that a page loads before it can react.
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { buildInlineScript } from '../../lib/tracker/scripts/build-inline.mjs';

/** A React app with a provider and a hook, ours or two of the same shape that do nothing. @param {string} tracker */
const app = (tracker) => `
  import { useState } from 'react';
  import { createRoot } from 'react-dom/client';
  ${tracker}
  function App() {
    const [count] = useState(0);
    const tracker = useTracker();
    return <p onClick={() => tracker}>{count}</p>;
  }
  createRoot(document.body).render(<TrackerProvider programId="prg_1"><App /></TrackerProvider>);`;
const WITH = `import { TrackerProvider, useTracker } from '@svc/tracker';`;
const WITHOUT = `
  import { useEffect, useSyncExternalStore } from 'react';
  const TrackerProvider = ({ programId, children }) => (useEffect(() => {}, [programId]), children);
  const useTracker = () => useSyncExternalStore(() => () => {}, () => null, () => null);`;

/** What the browser loads before it can run the app; chunks that it asks for later are left out. @param {string} contents */
async function bundle(contents) {
  const { metafile, outputFiles } = await build({
    stdin: { contents, resolveDir: path.resolve(import.meta.dirname, '../..'), loader: 'tsx' },
    bundle: true,
    minify: true,
    splitting: true,
    metafile: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    outdir: '/bundle',
    write: false,
  });
  const names = Object.keys(metafile.outputs);
  const needed = new Set(names.filter((name) => metafile.outputs[name]?.entryPoint === '<stdin>'));
  for (const name of needed) {
    for (const { kind, path: imported } of metafile.outputs[name]?.imports ?? []) {
      if (kind === 'import-statement') needed.add(imported);
    }
  }
  return Buffer.concat(outputFiles.filter((_, index) => needed.has(names[index] ?? '')).map((file) => file.contents));
}

/** The tracker's bytes: the inline script by itself, and what provider and hook add to a React app. */
export async function weighTracker() {
  const { script } = await buildInlineScript();
  const [with_, without] = [await bundle(app(WITH)), await bundle(app(WITHOUT))];
  return {
    'inline script, minified': Buffer.byteLength(script),
    'inline script, gzip': gzipSync(script, { level: 9 }).length,
    'inline script, brotli': brotliCompressSync(script).length,
    'provider and hook over the same app without, gzip':
      gzipSync(with_, { level: 9 }).length - gzipSync(without, { level: 9 }).length,
    'provider and hook over the same app without, brotli':
      brotliCompressSync(with_).length - brotliCompressSync(without).length,
  };
}

/** Gzipped bytes of the scripts that a page's HTML names, without those for browsers that lack modules. @param {string} url */
export async function weighPage(url) {
  const html = await (await fetch(url)).text();
  const sources = [...html.matchAll(/<script\b[^>]*?\bsrc="([^"]+)"[^>]*>/g)]
    .filter(([element]) => !/nomodule/i.test(element ?? ''))
    .map(([, source = '']) => new URL(source.replaceAll('&amp;', '&'), url).href);
  let bytes = 0;
  for (const source of new Set(sources)) {
    bytes += gzipSync(Buffer.from(await (await fetch(source)).arrayBuffer()), { level: 9 }).length;
  }
  return { bytes, html: gzipSync(html, { level: 9 }).length };
}
