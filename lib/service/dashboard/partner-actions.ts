'use server';

import { z } from 'zod';
import { isOpaqueId } from '../clean-input';
import { createPartner, updatePartner } from '../partners';
import { type ActionResult, done, failed } from './action-result';
import { authorizedAction, nameField } from './authorized-action';

const code = z.string().refine(isOpaqueId, { error: 'A code has 1 to 255 printable characters.' });
const newPartner = z.object({
  code: z.string().trim().pipe(code),
  name: nameField,
});
const activity = z.object({ code, active: z.enum(['true', 'false']) });
const renaming = z.object({ code, name: nameField });

const GONE = 'This partner no longer exists.';

/** Without a name the partner is listed by its code. */
export async function addPartner(_: ActionResult, form: FormData): Promise<ActionResult> {
  return authorizedAction(form, newPartner, async ({ programId }, { code, name }) =>
    (await createPartner(programId, { code, name: name || code }))
      ? done(`Added. The link ends with ?aff=${encodeURIComponent(code)}.`)
      : failed('This program already has a partner with this code. Choose another code.'),
  );
}

export async function switchPartner(_: ActionResult, form: FormData): Promise<ActionResult> {
  return authorizedAction(form, activity, async ({ programId, isPaused }, { code, active }) => {
    if (!(await updatePartner(programId, code, { active: active === 'true' }))) return failed(GONE);
    const tracked = isPaused ? 'New clicks are tracked once the program is resumed.' : 'New clicks are tracked.';
    const message = active === 'true' ? tracked : 'No new clicks are tracked. Existing clicks can still convert.';
    return done(`${code}: ${message}`);
  });
}

/** Without a name the partner is listed by its code. */
export async function changePartnerName(_: ActionResult, form: FormData): Promise<ActionResult> {
  return authorizedAction(form, renaming, async ({ programId }, { code, name }) =>
    (await updatePartner(programId, code, { name: name || code }))
      ? done(`${code} is now ${name || code}.`)
      : failed(GONE),
  );
}
