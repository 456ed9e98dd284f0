// Your own sign-up form, with Clerk's useSignUp. The click ID is read when the form is submitted, so nothing waits before that.
'use client';

import { useSignUp } from '@clerk/nextjs';
import { whenReady } from '@svc/tracker';
import { useRouter } from 'next/navigation';
import type { FormEvent } from 'react';

export default function SignUpForm() {
  const { signUp, errors } = useSignUp();
  const router = useRouter();

  async function create(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault(); // React would clear the fields after an action, even if Clerk refuses the password
    const form = new FormData(event.currentTarget);
    const { error } = await signUp.password({
      emailAddress: String(form.get('email')),
      password: String(form.get('password')),
      unsafeMetadata: { svc_click_id: await whenReady() }, // §4, identity-provider signup path, step 1
    });
    if (error || signUp.status !== 'complete') return; // verify the email address here if your instance requires it
    await signUp.finalize({ navigate: ({ decorateUrl }) => router.push(decorateUrl('/account')) });
  }

  return (
    <form onSubmit={create}>
      <input name="email" type="email" aria-label="Email" autoComplete="email" required />
      <input name="password" type="password" aria-label="Password" autoComplete="new-password" required />
      <button type="submit">Create the account</button>
      <p role="alert">{errors.fields.emailAddress?.message ?? errors.fields.password?.message}</p>
      <div id="clerk-captcha" />
    </form>
  );
}
