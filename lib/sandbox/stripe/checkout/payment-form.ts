import { z } from 'zod';
import type { BankAccount } from '../billing/bank-accounts';
import { type CardForm, parseCardForm } from './card-form';
import type { CheckoutProblem } from './checkout-plan';

/** What the hosted page sends: a card, a bank account, or neither where nothing is to be paid. */
export type PaymentForm = CardForm & { bank?: BankAccount };

const bankForm = z.object({
  email: z.email('Enter your e-mail address, for instance ada@example.com.').max(200),
  account_holder: z.string().trim().min(1, "Enter the account holder's name.").max(200),
  routing_number: z
    .string()
    .trim()
    .regex(/^\d{9}$/, 'Enter the nine digits of the routing number.'),
  account_number: z
    .string()
    .trim()
    .regex(/^\d{4,17}$/, 'Enter your account number.'),
});

/**
 * The form that was sent, or the first problem with the field it belongs to.
 * @param now Unix seconds: a card's expiry before it is refused
 */
export function parsePaymentForm(
  fields: Record<string, unknown>,
  options: { now: number; needsMethod: boolean; takesDebits: boolean },
): { form: PaymentForm } | { problem: CheckoutProblem } {
  // Enter in the account's fields presses the form's first button, the card's: what was filled in counts as well.
  const wantsDebit = fields.method === 'us_bank_account' || (!fields.number && Boolean(fields.account_number));
  if (!wantsDebit || !options.needsMethod || !options.takesDebits)
    return parseCardForm(fields, { now: options.now, needsCard: options.needsMethod });
  const parsed = bankForm.safeParse(fields);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0] ?? { path: [], message: '' };
    return { problem: { field: (path[0] ?? 'account_number') as CheckoutProblem['field'], message } };
  }
  const { email, account_holder: name, routing_number, account_number } = parsed.data;
  return { form: { email, name, card: null, bank: { routingNumber: routing_number, accountNumber: account_number } } };
}
