import { clerkErrors } from './errors';
import type { Form } from './form';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const EMAIL_MAX = 254;
const PASSWORD_MIN = 8;
const PASSWORD_MAX = 72;

/** An e-mail address as Clerk keeps it: trimmed, in lower case. Null where it is absent. */
export function readEmail(form: Form, name = 'email_address'): string | null {
  const address = form.text(name)?.trim().toLowerCase();
  if (address === undefined) return null;
  if (address.length > EMAIL_MAX || !EMAIL.test(address)) throw clerkErrors.emailInvalid(name);
  return address;
}

/** A new password within Clerk's limits. Null where it is absent. */
export function readNewPassword(form: Form, name = 'password'): string | null {
  const password = form.text(name);
  if (password === null) return null;
  if (password.length < PASSWORD_MIN) throw clerkErrors.passwordTooShort(name);
  if (password.length > PASSWORD_MAX) throw clerkErrors.passwordTooLong(name);
  return password;
}
