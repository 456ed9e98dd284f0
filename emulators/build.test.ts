import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { buildProgram } from './build.mjs';

test('a stack names the sources where they are', async () => {
  const program = await buildProgram();
  const [, map = ''] = /sourceMappingURL=data:application\/json;base64,(.*)/.exec(readFileSync(program, 'utf8')) ?? [];
  const { sourceRoot, sources } = JSON.parse(Buffer.from(map, 'base64').toString()) as {
    sourceRoot: string;
    sources: string[];
  };
  expect(sources).toContain('cli.ts');
  const places = sources.map((source) => new URL(sourceRoot + source, pathToFileURL(program)));
  expect(places.filter((place) => !existsSync(place))).toEqual([]);
});
