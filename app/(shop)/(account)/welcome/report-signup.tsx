// Reports the sign-up from the browser, in addition to the webhook: contract §4, identity-provider signup path, step 5.
// Change in your app: nothing. Put it on the page on which a new user lands, and on no other.
'use client';

import { useUser } from '@clerk/nextjs';
import { useTracker } from '@svc/tracker';
import { useEffect, useRef } from 'react';

/** Once per user: the ref guards against effects that run twice, the storage against a reload. It waits for nobody's webhook. */
export function ReportSignup() {
  const { user } = useUser();
  const tracker = useTracker();
  const hasStarted = useRef(false);
  const userId = user?.id;
  const email = user?.primaryEmailAddress?.emailAddress;

  useEffect(() => {
    if (!tracker || !userId || !email || hasStarted.current) return;
    hasStarted.current = true;
    const key = `signup-reported:${userId}`;
    if (remembers(key)) return;
    void tracker.signup(userId, email).then(({ ok }) => ok && remember(key));
  }, [tracker, userId, email]);

  return null;
}

// Storage may be switched off. A repeat records nothing new (§4), so forgetting is harmless.
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
