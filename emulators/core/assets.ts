import { readFile } from 'node:fs/promises';
import path from 'node:path';

const NAME = /^[a-z-]+\.(css|js)$/;

/** Where build.mjs puts the bundled files; seen from the sources, only the stylesheets are there. */
const PLACES = ['assets', '.', '../control-room'].map((folder) => path.join(import.meta.dirname, folder));

/** The stylesheet, or a browser script that build.mjs has bundled; null where there is none of that name. */
export async function readAsset(name: string): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!NAME.test(name)) return null;
  for (const place of PLACES) {
    const content = await readFile(path.join(place, name)).catch(() => null);
    if (content) return new Uint8Array(content);
  }
  return null;
}
