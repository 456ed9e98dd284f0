// Reads what `--profile` names: a module that exports `profile` (and `scenario`, which runs its scenarios), or JSON.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { type Profile, profileSchema, type Scenario } from './core/profile';

/** A mistake in the file: shown without a stack. */
export class ProfileError extends Error {
  override readonly name = 'ProfileError';
}

type Loaded = { profile: Profile; scenario: Scenario | null };

/** @throws ProfileError, saying what is wrong with the file */
export async function loadProfile(file: string): Promise<Loaded> {
  const absolute = path.resolve(file);
  const content = await read(absolute);
  const parsed = profileSchema.safeParse(content.profile);
  if (!parsed.success) throw new ProfileError(`--profile ${file}: ${z.prettifyError(parsed.error)}`);
  const { root, ...profile } = parsed.data;
  const scenario = typeof content.scenario === 'function' ? (content.scenario as Scenario) : null;
  return { profile: { ...profile, ...(root && { root: path.resolve(path.dirname(absolute), root) }) }, scenario };
}

async function read(absolute: string): Promise<{ profile?: unknown; scenario?: unknown }> {
  try {
    if (absolute.endsWith('.json')) return { profile: JSON.parse(await readFile(absolute, 'utf8')) };
    return await import(pathToFileURL(absolute).href);
  } catch (error) {
    throw new ProfileError(`--profile ${absolute} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}
