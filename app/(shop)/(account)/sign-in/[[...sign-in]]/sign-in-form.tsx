// "Continue with …" creates users on the sign-in page too, so it needs the click ID too.
// Change in your app: where existing and new users land.
'use client';

import { SignIn } from '@clerk/nextjs';
import { useSearchParams } from 'next/navigation';
import { FormSkeleton } from '../../form-skeleton';
import { pathWithPlan } from '../../path-with-plan';
import { useIsVisitor } from '../../use-is-visitor';
import { useSignUpMetadata } from '../../use-sign-up-metadata';

export function SignInForm() {
  const query = useSearchParams();
  const plan = query.get('plan');
  const unsafeMetadata = useSignUpMetadata();
  // A page redirects here if the token has expired, which Clerk renews at once. "Add account" has no `redirect_url`.
  const isVisitor = useIsVisitor('/sign-in', query.get('redirect_url'));
  if (!unsafeMetadata || !isVisitor) return <FormSkeleton form="sign-in" />;
  return (
    <SignIn
      path="/sign-in"
      unsafeMetadata={unsafeMetadata}
      fallbackRedirectUrl={plan ? pathWithPlan('/checkout', plan) : '/account'}
      signUpForceRedirectUrl={pathWithPlan('/welcome', plan)}
      signUpUrl={pathWithPlan('/sign-up', plan)}
      fallback={<FormSkeleton form="sign-in" />}
    />
  );
}
