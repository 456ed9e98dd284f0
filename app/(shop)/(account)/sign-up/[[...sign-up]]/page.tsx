import type { Metadata } from 'next';
import { Suspense } from 'react';
import { ClerkForm } from '../../clerk-form';
import { FormSkeleton } from '../../form-skeleton';
import { SignUpForm } from './sign-up-form';

export const metadata: Metadata = { title: 'Sign up' };

export default function SignUpPage() {
  return (
    <div className="grid justify-items-center py-4">
      <ClerkForm>
        <Suspense fallback={<FormSkeleton form="sign-up" />}>
          <SignUpForm />
        </Suspense>
      </ClerkForm>
    </div>
  );
}
