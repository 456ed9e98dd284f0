// Reports the sign-up from the browser, in addition to the webhook: contract §4, identity-provider signup path, step 5.
// Change in your app: nothing. Put it on the page on which a new user lands, and on no other.
'use client';

import { useSession, useUser } from '@clerk/nextjs';
import type { SessionResource, UserResource } from '@clerk/nextjs/types';
import { useTracker } from '@svc/tracker';
import { useEffect, useRef } from 'react';

/** Once per user: the ref guards against effects that run twice, the storage against a reload. It does not wait for the webhook. */
export function ReportSignup() {
  const { user } = useUser();
  const { session } = useSession();
  const tracker = useTracker();
  const reported = useRef<string>(undefined);
  const { userId, email } = newUserOf(user, session) ?? {};

  useEffect(() => {
    if (!tracker || !userId || !email || reported.current === userId) return;
    reported.current = userId;
    const key = `signup-reported:${userId}`;
    if (remembers(key)) return;
    void tracker.signup(userId, email).then(() => remember(key)); // whatever the result: the webhook reports it as well
  }, [tracker, userId, email]);

  return null;
}

/** Registration starts the first session at once; every session that starts later is a sign-in. Both times are Clerk's. */
const FIRST_SESSION_MS = 60_000;

type SignedIn = Pick<UserResource, 'id' | 'createdAt'> & { primaryEmailAddress: { emailAddress: string } | null };

/** The new user to report, or `null` where Clerk has not loaded, an email address is missing, or the user is not new. */
export function newUserOf(
  user: SignedIn | null | undefined,
  session: Pick<SessionResource, 'createdAt'> | null | undefined,
): { userId: string; email: string } | null {
  const email = user?.primaryEmailAddress?.emailAddress;
  if (!user?.createdAt || !session || !email) return null;
  const isFirstSession = session.createdAt.getTime() - user.createdAt.getTime() < FIRST_SESSION_MS;
  return isFirstSession ? { userId: user.id, email } : null;
}

// Storage may be disabled. A repeat records nothing new (§4), so that is harmless.
function remembers(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}

function remember(key: string): void {
  try {
    localStorage.setItem(key, new Date().toISOString());
  } catch {}
}
