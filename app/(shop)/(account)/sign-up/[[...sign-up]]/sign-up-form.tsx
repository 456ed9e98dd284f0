// Clerk's own form, with the click ID in `unsafe_metadata` before the user exists.
// Change in your app: where a new user lands. It has to be the page that reports the sign-up from the browser.
'use client';

import { SignUp } from '@clerk/nextjs';
import { useSearchParams } from 'next/navigation';
import { FormSkeleton } from '../../form-skeleton';
import { pathWithPlan } from '../../path-with-plan';
import { useSignUpMetadata } from '../../use-sign-up-metadata';

export function SignUpForm() {
  const plan = useSearchParams().get('plan');
  const unsafeMetadata = useSignUpMetadata();
  if (!unsafeMetadata) return <FormSkeleton />;
  return (
    <SignUp
      path="/sign-up"
      unsafeMetadata={unsafeMetadata}
      forceRedirectUrl={pathWithPlan('/welcome', plan)}
      signInUrl={pathWithPlan('/sign-in', plan)}
      fallback={<FormSkeleton />}
    />
  );
}
