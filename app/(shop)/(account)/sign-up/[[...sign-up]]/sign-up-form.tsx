// Clerk's form, with the click ID in `unsafe_metadata` before the user exists.
// Change in your app: where new users land. It has to be the page that reports the sign-up from the browser.
'use client';

import { SignUp } from '@clerk/nextjs';
import { useSearchParams } from 'next/navigation';
import { FormSkeleton } from '../../form-skeleton';
import { pathWithPlan } from '../../path-with-plan';
import { useIsVisitor } from '../../use-is-visitor';
import { useSignUpMetadata } from '../../use-sign-up-metadata';

export function SignUpForm() {
  const plan = useSearchParams().get('plan');
  const unsafeMetadata = useSignUpMetadata();
  const signedInPath = plan ? pathWithPlan('/checkout', plan) : '/account';
  // Static pages link here for every visitor, and Clerk's form would send a signed-in one to the page for new users.
  const isVisitor = useIsVisitor('/sign-up', signedInPath);
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
