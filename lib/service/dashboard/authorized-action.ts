import 'server-only';
import { refresh } from 'next/cache';
import { z } from 'zod';
import { isStorableText } from '../clean-input';
import { type ActionResult, failed } from './action-result';
import { isSameOrigin, OTHER_SITE } from './same-origin';
import { readAccess } from './session';
import type { DashboardAccess } from './session-queries';

/**
 * Every action goes through here. It checks the form's origin, the session, the program and the values, in this order. What
 * `run` throws stays an error.
 */
export async function authorizedAction<Schema extends z.ZodType>(
  form: FormData,
  schema: Schema,
  run: (access: DashboardAccess, values: z.output<Schema>) => Promise<ActionResult>,
): Promise<ActionResult> {
  if (!(await isSameOrigin())) return failed(OTHER_SITE);
  const access = await readAccess();
  if (!access) return failed('You are signed out. Sign in again and repeat the change.');
  if (form.get('program_id') !== access.programId) {
    return failed('You have opened another program in this browser. Reload the page and try again.');
  }
  const parsed = schema.safeParse(Object.fromEntries(form));
  if (!parsed.success) {
    return failed(parsed.error.issues.map(({ message }) => message).join(' '));
  }
  const result = await run(access, parsed.data);
  refresh();
  return result;
}

/** The name of a partner or a key; may be blank. */
export const nameField = z
  .string()
  .trim()
  .max(60, { error: 'A name can have at most 60 characters.' })
  .refine(isStorableText, { error: 'A name must be text.' });
