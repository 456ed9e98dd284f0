import type { Metadata } from 'next';
import { Suspense } from 'react';
import { FormSkeleton } from '../../form-skeleton';
import { SignUpForm } from './sign-up-form';

export const metadata: Metadata = { title: 'Sign up' };

export default function SignUpPage() {
  return (
    <div className="grid justify-items-center py-4">
      <Suspense fallback={<FormSkeleton form="sign-up" />}>
        <SignUpForm />
      </Suspense>
    </div>
  );
}
