// The click ID for the new user's `unsafe_metadata`: contract §4, identity-provider signup path, step 1.
// Change in your app: pass your own keys; they are stored as well.
'use client';

import { useClickId } from '@svc/tracker';

/**
 * `null` while a click is in flight, for 2 s at the most; then `svc_click_id`, which is null while no click is known. A click that
 * arrives later still replaces it.
 */
export function useSignUpMetadata(ownMetadata: Record<string, unknown> = {}) {
  const clickId = useClickId();
  return clickId === undefined ? null : withClickId(ownMetadata, clickId);
}

/** Clerk stores one object, so the other keys are sent along. */
export const withClickId = <Metadata extends object>(metadata: Metadata, clickId: string | null) => ({
  ...metadata,
  svc_click_id: clickId,
});
