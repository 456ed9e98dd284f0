import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listFiles } from '../git-files.mjs';
import { EJECT, PARTS } from './parts.mjs';
import { editFile, removedWith, THIS_PROJECT } from './references.mjs';
import { editText, replaceTexts, stripPart } from './strip.mjs';

/** A copy that is called something else edits its texts as it likes; the command then says which passages it did not find. */
const isThisProject = JSON.parse(readFileSync('package.json', 'utf8')).name === THIS_PROJECT;
/** Git lists the files; a downloaded archive has no repository. */
const hasRepository = spawnSync('git', ['rev-parse', '--is-inside-work-tree']).status === 0;
const testOurs = test.skipIf(!isThisProject || !hasRepository);

const edits = Object.entries(PARTS).flatMap(([part, { edits }]) =>
  Object.entries(edits).flatMap(([file, passages]) => (existsSync(file) ? [{ part, file, passages }] : [])),
);

testOurs.each(edits)('every passage that removing $part replaces in $file is there', ({ part, file, passages }) => {
  const { text, missed } = editText(readFileSync(file, 'utf8'), passages);
  expect(missed).toEqual([]);
  expect(() => stripPart(text, part)).not.toThrow();
});

/** Other edits remove the part from these; the changelog is history until the last part is gone. */
const IGNORED = /^(LICENSE|CHANGELOG\.md|package(-lock)?\.json|biome\.json|prisma\/migrations\/.*)$/;

testOurs.each(Object.keys(PARTS))('without %s no file that stays has words that belong to it', (name) => {
  const part = PARTS[name] as NonNullable<(typeof PARTS)[string]>;
  const isRemoved = removedWith(part);
  const sample = part.sampleName ? [...(part.sampleTexts ?? []), [part.sampleName, 'Acme'] as const] : [];
  const textOf = (file: string) => replaceTexts(editFile(readFileSync(file, 'utf8'), file, name, part).text, sample);
  const isOfPart = (file: string) => Object.keys(PARTS).some((each) => file.startsWith(`${each}/`)); // removable itself
  const staying = listFiles().filter((file) => !isRemoved(file) && !isOfPart(file) && !IGNORED.test(file));
  expect(staying.filter((file) => part.words.test(`${file}\n${textOf(file)}`))).toEqual([]);
});

testOurs('with the last part gone no file that stays names the command that removed them', () => {
  const removed = [...Object.entries(PARTS), ['eject', EJECT] as const];
  const textOf = (file: string) =>
    removed.reduce((text, [name, part]) => editFile(text, file, name, part).text, readFileSync(file, 'utf8'));
  const staying = listFiles().filter(
    (file) => !IGNORED.test(file) && !removed.some(([, part]) => removedWith(part)(file)),
  );
  expect(staying.filter((file) => EJECT.words.test(textOf(file)))).toEqual([]);
});
