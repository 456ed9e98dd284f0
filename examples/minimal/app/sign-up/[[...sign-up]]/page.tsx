'use client';

import { SignUp } from '@clerk/nextjs';
import { whenReady } from '@svc/tracker';
import { useEffect, useState } from 'react';

export default function SignUpPage() {
  const [clickId, setClickId] = useState<string | null>();
  useEffect(() => void whenReady().then(setClickId), []);
  if (clickId === undefined) return null; // a click may still be in flight, for 2 s at most
  return <SignUp forceRedirectUrl="/account" unsafeMetadata={{ svc_click_id: clickId }} />;
}
