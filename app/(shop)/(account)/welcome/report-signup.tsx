// Reports the sign-up from the browser, in addition to the webhook: contract §4, identity-provider signup path, step 5.
// Use it only on the page that new users see after registration.
'use client';

import { useSession, useUser } from '@clerk/nextjs';
import type { SessionResource, UserResource } from '@clerk/nextjs/types';
import { useTracker } from '@svc/tracker';
import { useEffect, useRef } from 'react';

/** Once per user: the ref guards against effects that run twice, local storage against a reload. Independent of the webhook. */
export function ReportSignup() {
  const { user } = useUser();
  const { session } = useSession();
  const tracker = useTracker();
  const reported = useRef<string>(undefined);
  const { userId, email } = newUserOf(user, session) ?? {};

  useEffect(() => {
    if (!tracker || !userId || !email || reported.current === userId) return;
    reported.current = userId;
    if (isReported(userId)) return;
    void tracker.signup(userId, email).then(() => {
      // Whatever the result: the webhook reports it too. Without a click nothing was sent, and nothing has to be remembered.
      if (tracker.getClickId()) markReported(userId);
    });
  }, [tracker, userId, email]);

  return null;
}

/** Registration starts the first session at once; a session that starts later is a sign-in. Both times come from Clerk. */
const FIRST_SESSION_MS = 60_000;

type SignedIn = Pick<UserResource, 'id' | 'createdAt'> & { primaryEmailAddress: { emailAddress: string } | null };

/** The new user to report, or `null` if Clerk has not loaded, an email address is missing, or the user is not new. */
export function newUserOf(
  user: SignedIn | null | undefined,
  session: Pick<SessionResource, 'createdAt'> | null | undefined,
): { userId: string; email: string } | null {
  const email = user?.primaryEmailAddress?.emailAddress;
  if (!user?.createdAt || !session || !email) return null;
  const isFirstSession = session.createdAt.getTime() - user.createdAt.getTime() < FIRST_SESSION_MS;
  return isFirstSession ? { userId: user.id, email } : null;
}

// Storage may be disabled. That is harmless, because a repeat records nothing new (§4).
const KEY = 'signup-reported';

function isReported(userId: string): boolean {
  try {
    return localStorage.getItem(KEY) === userId;
  } catch {
    return false;
  }
}

function markReported(userId: string): void {
  try {
    localStorage.setItem(KEY, userId); // the last one only, so that a shared browser does not collect users
  } catch {}
}
