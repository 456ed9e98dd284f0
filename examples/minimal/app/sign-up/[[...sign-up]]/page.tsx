'use client';

import { SignUp } from '@clerk/nextjs';
import { useClickId } from '@svc/tracker';

export default function SignUpPage() {
  const clickId = useClickId();
  if (clickId === undefined) return null; // a click may still be in flight, for 2 s at most
  return <SignUp forceRedirectUrl="/account" unsafeMetadata={{ svc_click_id: clickId }} />;
}
