import type { Metadata } from 'next';
import { ClerkForm } from '../../clerk-form';
import { FormFailed } from '../../form-failed';
import { SignInForm } from './sign-in-form';

export const metadata: Metadata = { title: 'Sign in' };

export default function SignInPage() {
  return (
    <ClerkForm form="sign-in" failed={<FormFailed />}>
      <SignInForm />
    </ClerkForm>
  );
}
