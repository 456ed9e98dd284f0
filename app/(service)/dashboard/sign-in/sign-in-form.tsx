'use client';

import type { ReactNode } from 'react';
import { TextField } from '@/components/ui/field';
import { signIn } from '@/lib/service/dashboard/sign-in-actions';
import { keepRefused, useActionResult } from '../_components/use-action-result';

/** `children` are the submit button and hidden fields: without the button, the form cannot be submitted. */
export function SignInForm({ children }: { children: ReactNode }) {
  const [result, action] = useActionResult(signIn);
  return (
    <form
      action={action}
      onReset={keepRefused(result)}
      className="grid gap-4 rounded-card border border-border bg-surface p-5"
    >
      <TextField
        id="api-key"
        name="api_key"
        type="password"
        label="API key"
        hint="Starts with svc_sk_. It needs access to the dashboard."
        error={result.status === 'failed' && result.message}
        autoComplete="off"
        required
        inputClassName="font-mono"
      />
      {children}
    </form>
  );
}
