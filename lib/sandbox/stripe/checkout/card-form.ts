import { z } from 'zod';
import type { CheckoutProblem } from './checkout-plan';

export type Card = { number: string; expMonth: number; expYear: number };
/** `card` is null where the session needs none. */
export type CardForm = { email: string; name: string; card: Card | null };

const person = {
  email: z.email('Enter your e-mail address, for instance ada@example.com.').max(200),
  name: z.string().trim().min(1, 'Enter the name on the card.').max(200),
};

const card = {
  number: z.string().trim().min(12, 'Enter your card number.').max(30),
  expiry: z
    .string()
    .trim()
    .regex(/^(0?[1-9]|1[0-2])\s*\/?\s*\d{2}$/, "Enter the card's expiry as MM / YY."),
  cvc: z
    .string()
    .trim()
    .regex(/^\d{3,4}$/, 'Enter the three digits on the back of the card.'),
};

const withCard = z.object({ email: person.email, ...card, name: person.name });
const withoutCard = z.object({ email: person.email, name: z.string().trim().max(200).default('') });

/**
 * The hosted pages' card form.
 * @param now Unix seconds: an expiry before it is refused
 * @returns the form, or the first problem with the field it belongs to
 */
export function parseCardForm(
  fields: Record<string, unknown>,
  { now, needsCard }: { now: number; needsCard: boolean },
): { form: CardForm } | { problem: CheckoutProblem } {
  if (!needsCard) {
    const parsed = withoutCard.safeParse(fields);
    return parsed.success ? { form: { ...parsed.data, card: null } } : { problem: firstProblem(parsed.error) };
  }
  const parsed = withCard.safeParse(fields);
  if (!parsed.success) return { problem: firstProblem(parsed.error) };
  const { email, name, number, expiry } = parsed.data;
  const digits = expiry.replace(/\D/g, '').padStart(4, '0');
  const expMonth = Number(digits.slice(0, 2));
  const expYear = 2000 + Number(digits.slice(2));
  if (Date.UTC(expYear, expMonth, 1) / 1000 <= now) {
    return { problem: { field: 'expiry', message: "Your card's expiry is in the past." } };
  }
  return { form: { email, name, card: { number: number.replace(/[\s-]/g, ''), expMonth, expYear } } };
}

function firstProblem({ issues: [issue] }: z.ZodError): CheckoutProblem {
  return { field: (issue?.path[0] ?? 'number') as CheckoutProblem['field'], message: issue?.message ?? '' };
}
