'use server';

import { z } from 'zod';
import { isOpaqueId } from '../clean-input.ts';
import { createPartner, setPartnerActive } from '../partners.ts';
import { type ActionResult, done, failed } from './action-result.ts';
import { authorizedAction, nameField } from './authorized-action.ts';

const code = z.string().refine(isOpaqueId, { error: 'A code has 1 to 255 printable characters.' });
const newPartner = z.object({
  code: z.string().trim().pipe(code),
  name: nameField,
});
const change = z.object({ code, active: z.enum(['true', 'false']) });

/** Without a name the partner is listed by its code. */
export async function addPartner(_: ActionResult, form: FormData): Promise<ActionResult> {
  return authorizedAction(form, newPartner, async ({ programId }, { code, name }) =>
    (await createPartner(programId, { code, name: name || code }))
      ? done(`Added. The link ends with ?aff=${encodeURIComponent(code)}.`)
      : failed('This program already has a partner with this code. Choose another code.'),
  );
}

export async function changePartner(_: ActionResult, form: FormData): Promise<ActionResult> {
  return authorizedAction(form, change, async ({ programId, isPaused }, { code, active }) => {
    if (!(await setPartnerActive(programId, code, active === 'true'))) {
      return failed('This partner no longer exists.');
    }
    const tracked = isPaused ? 'New clicks are tracked once the program is resumed.' : 'New clicks are tracked.';
    const message = active === 'true' ? tracked : 'No new clicks are tracked. Existing clicks can still convert.';
    return done(`${code}: ${message}`);
  });
}
