'use client';

import { useSignUp } from '@clerk/nextjs';
import { useRouter } from 'next/navigation';
import { useState } from 'react';

export default function CustomSignUp() {
  const { signUp, errors } = useSignUp();
  const router = useRouter();
  const [isVerifying, setIsVerifying] = useState(false);

  async function start(form: FormData) {
    const { error } = await signUp.password({
      emailAddress: String(form.get('email')),
      password: String(form.get('password')),
      unsafeMetadata: { campaign: 'spring' },
    });
    if (error) return;
    if (signUp.status === 'complete') return finish();
    await signUp.verifications.sendEmailCode();
    setIsVerifying(true);
  }

  async function verify(form: FormData) {
    const { error } = await signUp.verifications.verifyEmailCode({ code: String(form.get('code')) });
    if (!error && signUp.status === 'complete') await finish();
  }

  const finish = async () => {
    await signUp.finalize({ navigate: ({ decorateUrl }) => router.push(decorateUrl('/protected')) });
  };

  if (isVerifying) {
    return (
      <form action={verify}>
        <label>
          Code <input name="code" />
        </label>
        <button type="submit">Verify</button>
      </form>
    );
  }
  return (
    <form action={start}>
      <label>
        Email <input name="email" type="email" />
      </label>
      <label>
        Password <input name="password" type="password" />
      </label>
      {errors.fields.emailAddress && <p role="alert">{errors.fields.emailAddress.message}</p>}
      {errors.fields.password && <p role="alert">{errors.fields.password.message}</p>}
      <button type="submit">Create the account</button>
      <div id="clerk-captcha" />
    </form>
  );
}
