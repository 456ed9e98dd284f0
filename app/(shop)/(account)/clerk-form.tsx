'use client';

import { useClerk } from '@clerk/nextjs';
import type { ReactNode } from 'react';
import { FormFailed } from './form-failed';

/** A form of Clerk's and its skeleton, or what to do where Clerk's scripts cannot be loaded: Clerk gives up after 15 s. */
export function ClerkForm({ children }: { children: ReactNode }) {
  return useClerk().status === 'error' ? <FormFailed /> : children;
}
