import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const NAME = /^[a-z-]+\.(css|js)$/;

/** Where build.mjs puts the bundled files; seen from the sources, only the stylesheets are there. */
const PLACES = ['../control-room', '.', 'assets'].map((folder) => path.join(import.meta.dirname, folder));

/** Stylesheets and browser scripts by name. Read at startup: a newer start may remove the build that contains them. */
const assets = new Map(
  PLACES.filter((place) => existsSync(place)).flatMap((place) =>
    readdirSync(place)
      .filter((name) => NAME.test(name))
      .map((name) => [name, new Uint8Array(readFileSync(path.join(place, name)))] as const),
  ),
);

/** The stylesheet, or a browser script that build.mjs has bundled; null if there is none of that name. */
export const findAsset = (name: string): Uint8Array<ArrayBuffer> | null => assets.get(name) ?? null;
