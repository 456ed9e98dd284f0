import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadProfile, ProfileError } from './profile-file';

const folder = mkdtempSync(path.join(tmpdir(), 'emulators-profile-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
}

test('a profile is JSON or a module, which may run scenarios; its root is a folder beside it', async () => {
  const json = write('profile.json', JSON.stringify({ root: 'app', lanes: { app: { label: 'Shop' } } }));
  expect(await loadProfile(json)).toMatchObject({
    profile: { root: path.join(folder, 'app'), lanes: { app: { label: 'Shop' } } },
    scenario: null,
  });
  const module = write('profile.mjs', 'export const profile = {}; export function scenario() {}');
  expect((await loadProfile(module)).scenario).toBeTypeOf('function');
});

test('one that does not fit, or cannot be read, is refused with its name and what is wrong', async () => {
  const odd = write('odd.json', JSON.stringify({ lanes: { moon: {} } }));
  await expect(loadProfile(odd)).rejects.toThrow(ProfileError);
  await expect(loadProfile(odd)).rejects.toThrow(`--profile ${odd}: `);
  await expect(loadProfile(odd)).rejects.toThrow('moon');
  const none = path.join(folder, 'none.json');
  await expect(loadProfile(none)).rejects.toThrow(`--profile ${none} cannot be read`);
});
