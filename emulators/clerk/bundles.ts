import path from 'node:path';

/** Where `emulators/fetch-bundles.mjs` has put Clerk's browser code; the same seen from the sources and from dist/. */
export const scriptsDirectory = (packageName: 'clerk-js' | 'ui'): string =>
  path.join(import.meta.dirname, '..', 'vendor', '@clerk', packageName, 'dist');
