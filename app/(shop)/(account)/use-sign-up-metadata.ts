// The click ID for the new user's `unsafe_metadata`: contract §4, identity-provider signup path, step 1.
// Change in your app: pass your own keys; they are stored as well.
'use client';

import { whenReady } from '@svc/tracker';
import { useEffect, useState } from 'react';
import { withClickId } from '@/lib/integration/click-id';

/** `null` while a click is in flight, for 2 s at the most; then `svc_click_id`, which is null when the visitor was not referred. */
export function useSignUpMetadata(ownMetadata: Record<string, unknown> = {}) {
  const [clickId, setClickId] = useState<string | null>();
  useEffect(() => {
    let isMounted = true;
    void whenReady().then((ready) => isMounted && setClickId(ready));
    return () => {
      isMounted = false;
    };
  }, []);
  return clickId === undefined ? null : withClickId(ownMetadata, clickId);
}
