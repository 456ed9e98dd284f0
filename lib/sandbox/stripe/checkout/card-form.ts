import { z } from 'zod';
import type { CheckoutProblem } from './checkout-plan';

export type CardForm = { email: string; name: string; number: string; expMonth: number; expYear: number };

const schema = z.object({
  email: z.email('Enter your e-mail address, for instance ada@example.com.').max(200),
  number: z.string().trim().min(12, 'Enter your card number.').max(30),
  expiry: z
    .string()
    .trim()
    .regex(/^(0?[1-9]|1[0-2])\s*\/?\s*\d{2}$/, "Enter the card's expiry as MM / YY."),
  cvc: z
    .string()
    .trim()
    .regex(/^\d{3,4}$/, 'Enter the three digits on the back of the card.'),
  name: z.string().trim().min(1, 'Enter the name on the card.').max(200),
});

/**
 * The hosted page's card form.
 * @param now Unix seconds: an expiry before it is refused
 * @returns the form, or the first problem with the field it belongs to
 */
export function parseCardForm(
  fields: Record<string, unknown>,
  now: number,
): { form: CardForm } | { problem: CheckoutProblem } {
  const parsed = schema.safeParse(fields);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return {
      problem: { field: (issue?.path[0] ?? 'number') as CheckoutProblem['field'], message: issue?.message ?? '' },
    };
  }
  const { expiry, email, name, number } = parsed.data;
  const digits = expiry.replace(/\D/g, '').padStart(4, '0');
  const expMonth = Number(digits.slice(0, 2));
  const expYear = 2000 + Number(digits.slice(2));
  const expiresAt = Date.UTC(expYear, expMonth, 1) / 1000;
  if (expiresAt <= now) return { problem: { field: 'expiry', message: "Your card's expiry is in the past." } };
  return { form: { email, name, number: number.replace(/[\s-]/g, ''), expMonth, expYear } };
}
