// Claims of the session token besides Clerk's own, as under "Customize session token" in the dashboard: JSON, in which
// shortcodes such as `{{user.public_metadata.role}}` stand for the user's data.
import { AVATAR } from './objects/json';
import type { Session } from './objects/session';
import { isVerified, primaryEmail, type User } from './objects/user';

/** Clerk's own claims, which cannot be replaced. */
const RESERVED = ['azp', 'exp', 'fva', 'iat', 'iss', 'jti', 'nbf', 'sid', 'sts', 'sub', 'v'];

const SHORTCODE = /\{\{\s*(.+?)\s*\}\}/g;

/** What a shortcode can stand for; metadata is followed to any depth. */
const valuesOf = (user: User, session: Session) => {
  const email = primaryEmail(user);
  return {
    session: { id: session.id, actor: session.actor },
    user: {
      id: user.id,
      external_id: user.external_id,
      first_name: user.first_name,
      last_name: user.last_name,
      full_name: [user.first_name, user.last_name].filter(Boolean).join(' ') || null,
      username: null,
      image_url: AVATAR,
      has_image: false,
      primary_email_address: email?.email_address ?? null,
      email_verified: email ? isVerified(email) : false,
      primary_phone_number: null,
      public_metadata: user.public_metadata,
      unsafe_metadata: user.unsafe_metadata,
      two_factor_enabled: false,
      created_at: user.created_at,
      updated_at: user.updated_at,
      last_sign_in_at: user.last_sign_in_at,
    },
  };
};

/** Why these cannot be claims; null if they can. */
export function claimsProblem(claims: unknown): string | null {
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims)) return 'it has to be a JSON object.';
  const reserved = Object.keys(claims).find((name) => RESERVED.includes(name));
  return reserved ? `Clerk itself sets the claim ${reserved}.` : null;
}

export const claimsFor = (template: Record<string, unknown>, user: User, session: Session): Record<string, unknown> =>
  resolve(template, valuesOf(user, session)) as Record<string, unknown>;

function resolve(value: unknown, values: object): unknown {
  if (typeof value === 'string') return resolveText(value, values);
  if (Array.isArray(value)) return value.map((entry) => resolve(entry, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, resolve(field, values)]));
}

/** A shortcode that is the whole string keeps its value's type; within a string it becomes text. */
function resolveText(text: string, values: object): unknown {
  const [whole, expression = ''] = /^\{\{\s*([^{}]+?)\s*\}\}$/.exec(text) ?? [];
  if (whole) return evaluate(expression, values);
  return text.replace(SHORTCODE, (_code, inner: string) => String(evaluate(inner, values) ?? ''));
}

/** `user.public_metadata.role || 'member'`: the first one that has a value. */
function evaluate(expression: string, values: object): unknown {
  for (const part of expression.split('||').map((one) => one.trim())) {
    const value = /^(['"]).*\1$/.test(part) ? part.slice(1, -1) : valueAt(values, part);
    if (value !== null && value !== undefined && value !== '') return value;
  }
  return null;
}

const valueAt = (values: object, place: string): unknown =>
  place.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | null | undefined)?.[name], values);
