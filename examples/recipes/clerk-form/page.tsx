// Your own sign-up form, with Clerk's useSignUp. The click ID is read when a form is submitted, so nothing waits before that.
'use client';

import { useSignUp } from '@clerk/nextjs';
import { whenReady } from '@svc/tracker';
import { useRouter } from 'next/navigation';
import type { FormEvent } from 'react';

export default function SignUpForm() {
  const { signUp, errors } = useSignUp();
  const router = useRouter();

  // React would clear the fields after an action, even if Clerk refuses the password.
  async function create(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const { error } = await signUp.password({
      emailAddress: String(form.get('email')),
      password: String(form.get('password')),
      unsafeMetadata: { svc_click_id: await whenReady() }, // §4, identity-provider signup path, step 1
    });
    if (error) return;
    if (signUp.status === 'complete') await finish();
    else await signUp.verifications.sendEmailCode();
  }

  async function verify(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get('code'));
    const clickId = await whenReady(); // a click may have arrived since
    // Null beside the cookie: on this page, consent is not given yet, so keep what was sent. Clerk replaces the whole object.
    if (clickId !== null || !document.cookie.includes('svc_click_id='))
      await signUp.update({ unsafeMetadata: { ...signUp.unsafeMetadata, svc_click_id: clickId } });
    const { error } = await signUp.verifications.verifyEmailCode({ code });
    if (!error) await finish();
  }

  const finish = () => signUp.finalize({ navigate: ({ decorateUrl }) => router.push(decorateUrl('/account')) });

  if (signUp.unverifiedFields.includes('email_address')) {
    return (
      <form onSubmit={verify}>
        <label>
          Code from the email <input name="code" inputMode="numeric" autoComplete="one-time-code" required />
        </label>
        <button type="submit">Verify the address</button>
        <p role="alert">{errors.fields.code?.message}</p>
      </form>
    );
  }
  return (
    <form onSubmit={create}>
      <label>
        Email <input name="email" type="email" autoComplete="email" required />
      </label>
      <label>
        Password <input name="password" type="password" autoComplete="new-password" required />
      </label>
      <button type="submit">Create the account</button>
      <p role="alert">{errors.fields.emailAddress?.message ?? errors.fields.password?.message}</p>
      <div id="clerk-captcha" />
    </form>
  );
}
