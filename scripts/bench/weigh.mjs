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

/** @param {string} contents */
async function bundle(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: path.resolve(import.meta.dirname, '../..'), loader: 'tsx' },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    write: false,
    // Loaded only where the inline script is absent.
    plugins: [
      {
        name: 'separate-chunk',
        setup: ({ onResolve }) => onResolve({ filter: /\/capture\.ts$/ }, ({ path }) => ({ path, external: true })),
      },
    ],
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
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
