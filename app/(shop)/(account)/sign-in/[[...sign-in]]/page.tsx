import type { Metadata } from 'next';
import { Suspense } from 'react';
import { ClerkForm } from '../../clerk-form';
import { FormSkeleton } from '../../form-skeleton';
import { SignInForm } from './sign-in-form';

export const metadata: Metadata = { title: 'Sign in' };

export default function SignInPage() {
  return (
    <div className="grid justify-items-center py-4">
      <ClerkForm>
        <Suspense fallback={<FormSkeleton form="sign-in" />}>
          <SignInForm />
        </Suspense>
      </ClerkForm>
    </div>
  );
}
