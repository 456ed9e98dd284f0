// Where "Continue with …" of your own forms returns to. A sign-in that creates a user takes the click ID here: Clerk's
// <HandleSSOCallback> takes none.
'use client';

import { AuthenticateWithRedirectCallback } from '@clerk/nextjs';
import { useClickId } from '@svc/tracker';

export default function SsoCallback() {
  const clickId = useClickId();
  if (clickId === undefined) return null; // a click may still be in flight, for 2 s at most
  return (
    <>
      <AuthenticateWithRedirectCallback
        unsafeMetadata={{ svc_click_id: clickId }}
        signInFallbackRedirectUrl="/account"
        signUpFallbackRedirectUrl="/account"
      />
      <div id="clerk-captcha" />
    </>
  );
}
