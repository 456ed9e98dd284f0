// The click ID for the new user's `unsafe_metadata`: contract §4, identity-provider signup path, step 1.
// Change in your app: pass your own keys; they are stored too.
'use client';

import { useClickId } from '@svc/tracker';

/**
 * `null` while a click is in flight, for 2 s at most; then an object with `svc_click_id`, which is null if there is no click. A
 * click that arrives later replaces it.
 */
export function useSignUpMetadata(ownMetadata: Record<string, unknown> = {}) {
  const clickId = useClickId();
  return clickId === undefined ? null : withClickId(ownMetadata, clickId);
}

/** Clerk replaces the whole object, so the other keys are sent too. */
export const withClickId = <Metadata extends object>(metadata: Metadata, clickId: string | null) => ({
  ...metadata,
  svc_click_id: clickId,
});
