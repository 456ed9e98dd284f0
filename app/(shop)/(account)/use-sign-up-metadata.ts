// The click ID for the new user's `unsafe_metadata`: contract §4, identity-provider signup path, step 1.
// Change in your app: pass your own keys; they are stored too.
'use client';

import { useClerk } from '@clerk/nextjs';
import { useClickId } from '@svc/tracker';
import { useEffect } from 'react';

type Clerk = Pick<ReturnType<typeof useClerk>, 'addListener'>;
type Attempt = NonNullable<ReturnType<typeof useClerk>['client']>['signUp'];

/**
 * `null` while a click is in flight, for 2 s at most; then an object with `svc_click_id`, which is null if there is no click. A
 * click that arrives later replaces it, also while the form waits for an emailed code.
 */
export function useSignUpMetadata(ownMetadata: Record<string, unknown> = {}) {
  const clickId = useClickId();
  const clerk = useClerk();
  useEffect(() => (clickId === undefined ? undefined : updateAttempts(clerk, clickId)), [clerk, clickId]);
  return clickId === undefined ? null : withClickId(ownMetadata, clickId);
}

/**
 * Gives the sign-up in progress this click: Clerk's form sends the metadata when it begins one, and not again with the code.
 * @returns a function that ends it
 */
export function updateAttempts(clerk: Clerk, clickId: string | null): () => void {
  let attempt: Attempt | undefined;
  let tried: string | undefined;
  const update = () => {
    if (attempt?.status !== 'missing_requirements' || attempt.id === tried) return;
    if ((attempt.unsafeMetadata?.svc_click_id ?? null) === clickId) return;
    if (clickId === null && hasStoredClick()) return; // not known yet, as while a consent manager loads
    tried = attempt.id;
    const unsafeMetadata = withClickId(attempt.unsafeMetadata, clickId);
    attempt.update({ unsafeMetadata }).catch(() => {}); // an attempt that has expired; the form says so itself
  };
  const stopListening = clerk.addListener(({ client }) => {
    attempt = client?.signUp;
    update();
  });
  // Declining consent deletes the cookie, and the click ID stays null.
  const timer = clickId === null && hasStoredClick() ? setInterval(update, 1_000) : undefined;
  return () => {
    clearInterval(timer);
    stopListening();
  };
}

/** Whether an earlier page has stored a click. It is not used until consent is given. */
const hasStoredClick = (): boolean => document.cookie.includes('svc_click_id=');

/** Clerk replaces the whole object, so the other keys are sent too. */
export const withClickId = <Metadata extends object>(metadata: Metadata, clickId: string | null) => ({
  ...metadata,
  svc_click_id: clickId,
});
