// Clerk's form, with the click ID in `unsafe_metadata` before the user exists.
// Change in your app: where new users land. It has to be the page that reports the sign-up from the browser.
'use client';

import { SignUp, useAuth } from '@clerk/nextjs';
import type { Route } from 'next';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { FormSkeleton } from '../../form-skeleton';
import { pathWithPlan } from '../../path-with-plan';
import { useSignUpMetadata } from '../../use-sign-up-metadata';

export function SignUpForm() {
  const plan = useSearchParams().get('plan');
  const unsafeMetadata = useSignUpMetadata();
  const signedInPath = plan ? pathWithPlan('/checkout', plan) : '/account';
  const isVisitor = useIsVisitor(signedInPath);
  if (!unsafeMetadata || !isVisitor) return <FormSkeleton form="sign-up" />;
  return (
    <SignUp
      path="/sign-up"
      unsafeMetadata={unsafeMetadata}
      forceRedirectUrl={pathWithPlan('/welcome', plan)}
      signInFallbackRedirectUrl={signedInPath}
      signInUrl={pathWithPlan('/sign-in', plan)}
      fallback={<FormSkeleton form="sign-up" />}
    />
  );
}

/**
 * Redirects a visitor who was signed in when the page opened, and returns `true` for others once Clerk has loaded. Static pages
 * link here for every visitor, and Clerk's form would send a signed-in one to the page for new users. The link in a verification
 * email signs a new user in, so it is left to the form, and so are its later steps, such as `/sign-up/continue`.
 */
function useIsVisitor(signedInPath: string): boolean {
  const { isLoaded, isSignedIn } = useAuth();
  const router = useRouter();
  const isEmailLink = useSearchParams().has('__clerk_status');
  const isStart = usePathname() === '/sign-up';
  const [isVisitor, setIsVisitor] = useState(false);
  const wasChecked = useRef(false);
  useEffect(() => {
    if (!isLoaded || wasChecked.current) return;
    wasChecked.current = true;
    if (isSignedIn && isStart && !isEmailLink) router.replace(signedInPath as Route);
    else setIsVisitor(true);
  }, [isLoaded, isSignedIn, isStart, isEmailLink, router, signedInPath]);
  // Next keeps the hidden page and its state after navigation, so the next visit has to check again.
  useEffect(
    () => () => {
      wasChecked.current = false;
      setIsVisitor(false);
    },
    [],
  );
  return isVisitor;
}
