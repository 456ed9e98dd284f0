'use server';

import { z } from 'zod';
import { isOpaqueId, isStorableText } from '../clean-input';
import { LEAD_AUTH_POLICIES } from '../domain/program';
import { createKey, grantableBy, KEY_ACCESS, type Revocation, revokeKey, rotateKey } from '../keys';
import { type ActionResult, done, failed } from './action-result';
import { authorizedAction, nameField } from './authorized-action';
import { readSettings, updateProgram } from './settings-queries';

const OVERLAP_HOURS = 24;

function days(name: string) {
  const rule = { error: `${name} is a number of days from 1 to 365.` };
  return z.coerce.number(rule).int(rule).min(1, rule).max(365, rule);
}

const policy = z.object({ lead_auth_policy: z.enum(LEAD_AUTH_POLICIES, { error: 'Choose one of the two policies.' }) });
const windows = z.object({
  cookie_window_days: days('The cookie window'),
  attribution_window_days: days('The attribution window'),
});
const pause = z.object({ paused: z.enum(['true', 'false']) });
const account = z.object({
  mode: z.enum(['live', 'test', 'none'], { error: 'Choose the mode of the payment account.' }),
  account_id: z
    .string()
    .trim()
    .refine((id) => id === '' || isOpaqueId(id), { error: 'An account ID has at most 255 printable characters.' }),
});
const newKey = z.object({
  label: nameField,
  access: z.enum(KEY_ACCESS, { error: 'Choose the key’s access.' }),
});
const keyId = z.object({ key_id: z.string().max(64).refine(isStorableText) });

const BEYOND_OWN_KEY =
  'You signed in with a dashboard-only key. Sign in with one for API and dashboard to create a key for the API.';
const EXPIRING =
  'You signed in with a key that is being replaced. Sign in with the new one to create or rotate keys. If you have lost it, create another with npm run key:create.';

const REVOCATIONS: Record<Revocation, ActionResult> = {
  revoked: done('Revoked. API calls with this key now return 401, and its dashboard sessions have ended.'),
  not_found: failed('This key is already revoked.'),
  last_key: failed(
    'A program needs at least one key with dashboard access that does not expire. Create another key first.',
  ),
};

/** §2: the lead auth policy. Leads that are settled stay settled. */
export async function changePolicy(_: ActionResult, form: FormData): Promise<ActionResult> {
  return authorizedAction(form, policy, async ({ programId }, values) => {
    await updateProgram(programId, { leadAuthPolicy: values.lead_auth_policy });
    return done('Saved. Applies to every new lead call.');
  });
}

/** Existing clicks keep their cookie; the attribution window applies to them too. */
export async function changeWindows(_: ActionResult, form: FormData): Promise<ActionResult> {
  return authorizedAction(form, windows, async ({ programId }, values) => {
    const before = await readSettings(programId);
    await updateProgram(programId, {
      cookieWindowDays: values.cookie_window_days,
      attributionWindowDays: values.attribution_window_days,
    });
    return done(
      Math.max(values.cookie_window_days, before.cookieWindowDays) > values.attribution_window_days
        ? 'Saved. Cookies outlive the attribution window: visitors who return in between create no new click, and their sign-ups are not attributed.'
        : 'Saved.',
    );
  });
}

export async function changePause(_: ActionResult, form: FormData): Promise<ActionResult> {
  return authorizedAction(form, pause, async ({ programId }, { paused }) => {
    await updateProgram(programId, { paused: paused === 'true' });
    return done(paused === 'true' ? 'Paused.' : 'Resumed.');
  });
}

export async function changePaymentAccount(_: ActionResult, form: FormData): Promise<ActionResult> {
  return authorizedAction(form, account, async ({ programId }, { mode, account_id }) => {
    // A disconnected account is still known, so that its payments are listed and no other's.
    await updateProgram(
      programId,
      mode === 'none' ? { paymentMode: null } : { paymentMode: mode, paymentAccountId: account_id || null },
    );
    return done(mode === 'none' ? 'Disconnected. New payments are listed as not attributed.' : 'Saved.');
  });
}

export async function createApiKey(_: ActionResult, form: FormData): Promise<ActionResult> {
  return authorizedAction(form, newKey, async ({ programId, keyAccess, isExpiring }, { label, access }) => {
    if (isExpiring) return failed(EXPIRING);
    if (!grantableBy(keyAccess).includes(access)) return failed(BEYOND_OWN_KEY);
    const secret = await createKey(programId, label, access);
    if (!secret) return failed('This program no longer exists.');
    return done('Copy the new key now. It is not shown again.', secret);
  });
}

export async function rotateApiKey(_: ActionResult, form: FormData): Promise<ActionResult> {
  return authorizedAction(form, keyId, async ({ programId, keyAccess, isExpiring }, { key_id }) => {
    if (isExpiring) return failed(EXPIRING);
    const expiresAt = new Date(Date.now() + OVERLAP_HOURS * 3_600_000);
    const secret = await rotateKey(programId, key_id, expiresAt, grantableBy(keyAccess));
    if (!secret) {
      return failed(
        'This key cannot be rotated: it has expired, was revoked, is being replaced, or opens the API, which your key does not.',
      );
    }
    return done(`Copy the new key now. The old key keeps working for ${OVERLAP_HOURS} hours.`, secret);
  });
}

export async function revokeApiKey(_: ActionResult, form: FormData): Promise<ActionResult> {
  return authorizedAction(
    form,
    keyId,
    async ({ programId }, { key_id }) => REVOCATIONS[await revokeKey(programId, key_id, new Date())],
  );
}
