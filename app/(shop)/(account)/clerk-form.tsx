'use client';

import { useClerk } from '@clerk/nextjs';
import { type ReactNode, Suspense } from 'react';
import { FormSkeleton } from './form-skeleton';

type ClerkFormProps = { form: 'sign-in' | 'sign-up'; failed: ReactNode; children: ReactNode };

/** A skeleton until Clerk's form is ready, or `failed` if Clerk's scripts fail to load, which takes Clerk 15 s to report. */
export function ClerkForm({ form, failed, children }: ClerkFormProps) {
  const hasFailed = useClerk().status === 'error';
  return (
    <div className="grid justify-items-center py-4">
      {hasFailed ? failed : <Suspense fallback={<FormSkeleton form={form} />}>{children}</Suspense>}
    </div>
  );
}
