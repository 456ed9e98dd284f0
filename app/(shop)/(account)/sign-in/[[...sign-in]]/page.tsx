import type { Metadata } from 'next';
import { ClerkForm } from '../../clerk-form';
import { SignInForm } from './sign-in-form';

export const metadata: Metadata = { title: 'Sign in' };

export default function SignInPage() {
  return (
    <ClerkForm form="sign-in">
      <SignInForm />
    </ClerkForm>
  );
}
