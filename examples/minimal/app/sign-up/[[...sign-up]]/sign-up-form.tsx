'use client';

import { SignUp } from '@clerk/nextjs';
import { useClickId } from '@svc/tracker';

export function SignUpForm() {
  const clickId = useClickId();
  if (clickId === undefined) return null; // a click may still be in flight, for 2 s at most
  return <SignUp forceRedirectUrl="/account" unsafeMetadata={{ svc_click_id: clickId }} />;
}
