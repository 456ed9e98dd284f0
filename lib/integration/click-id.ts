// Reads the click ID that the browser sends: contract §4, identity-provider signup path, steps 1 to 3.
// Cookies and `unsafe_metadata` are user-controlled input: any type, any size.
import 'server-only';
import { cookies } from 'next/headers';
import { log } from './log';

/** Opaque: any printable text of 1 to 255 characters. The tracking service decides whether it knows the ID. */
const isClickId = (text: string) => /^(?=.*\S)[^\p{C}\p{Zl}\p{Zp}]{1,255}$/u.test(text);

/**
 * The click ID in a cookie's value or a metadata field; `null` when the visitor was not referred.
 * An invalid value is dropped with a log line that names `source`, never the value.
 */
export function readClickId(value: unknown, source: string): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'string' && isClickId(value)) return value;
  log.warn(`The click ID in ${source} was dropped: it is not printable text of 1 to 255 characters.`);
  return null;
}

/** The click ID that sign-up stored in a user's `unsafe_metadata`, or `null`. */
export function clickIdOf(user: { id: string; unsafeMetadata: unknown }): string | null {
  const { unsafeMetadata: metadata } = user;
  if (typeof metadata !== 'object' || metadata === null || !Object.hasOwn(metadata, 'svc_click_id')) return null;
  return readClickId((metadata as { svc_click_id: unknown }).svc_click_id, `unsafe_metadata of ${user.id}`);
}

/**
 * The click ID of the user who sends this request: from the cookie or, if there is none, the one that sign-up stored.
 * @param actor the administrator who impersonates the user, as Clerk's `auth()` says: the cookie is theirs, and not the user's click
 */
export async function findClickId(
  user: { id: string; unsafeMetadata: unknown },
  actor: object | null | undefined,
): Promise<string | null> {
  if (actor) return clickIdOf(user);
  const cookie = (await cookies()).get('svc_click_id')?.value;
  return readClickId(cookie, `the cookie of ${user.id}`) ?? clickIdOf(user);
}
