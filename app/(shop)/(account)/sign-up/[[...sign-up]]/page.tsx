import type { Metadata } from 'next';
import { ClerkForm } from '../../clerk-form';
import { FormFailed } from '../../form-failed';
import { SignUpForm } from './sign-up-form';

export const metadata: Metadata = { title: 'Sign up' };

export default function SignUpPage() {
  return (
    <ClerkForm form="sign-up" failed={<FormFailed />}>
      <SignUpForm />
    </ClerkForm>
  );
}
