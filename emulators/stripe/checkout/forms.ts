// The hosted pages' payment forms, as they are parsed.
import { z } from 'zod';
import { isEmail } from '../parameters';
import type { BankAccount } from '../test-cards';
import { type Asked, DETAIL_FIELDS, type Details, detailsTyped, parseDetails } from './details';

const KEPT = [
  'email',
  'name',
  'number',
  'expiry',
  'account_holder',
  'routing_number',
  'account_number',
  'promotion_code',
  ...DETAIL_FIELDS,
] as const;

type Kept = (typeof KEPT)[number];

/** What the customer typed, to be shown again with a problem. Security codes are not kept. */
export type Typed = Partial<Record<Kept, string>>;

export type Field = Kept | 'cvc' | 'terms_of_service';
export type Problem = { field: Field; message: string };

export type Card = { number: string; expMonth: number; expYear: number };

/** What was sent: a card, a bank account, or neither if nothing is due. */
export type PaymentForm = Details & {
  email: string;
  name: string;
  country?: string | undefined;
  card: Card | null;
  bank?: BankAccount | undefined;
};

const ENTER_EMAIL = 'Enter your email address, for instance ada@example.com.';

const person = {
  email: z.string(ENTER_EMAIL).refine(isEmail, ENTER_EMAIL).max(200),
  country: z
    .union([z.literal('').transform(() => undefined), z.string().regex(/^[A-Z]{2}$/, 'Choose your country.')])
    .optional(),
};

const withCard = z.object({
  ...person,
  number: z.string().trim().min(12, 'Enter your card number.').max(30),
  expiry: z
    .string()
    .trim()
    .regex(/^(0?[1-9]|1[0-2])\s*\/?\s*\d{2}$/, 'Enter the expiry of the card as MM / YY.'),
  cvc: z
    .string()
    .trim()
    .regex(/^\d{3,4}$/, 'Enter the three digits on the back of the card.'),
  name: z.string().trim().min(1, 'Enter the name on the card.').max(200),
});

const withoutMethod = z.object({ ...person, name: z.string().trim().max(200).default('') });

const withBank = z.object({
  ...person,
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

type Parsed = { form: PaymentForm } | { problem: Problem };

/**
 * The form that was sent, or its first problem with the field it belongs to.
 * @param options.now Unix seconds: a card that expired before then is refused
 */
export function parsePaymentForm(
  fields: Record<string, unknown>,
  options: Asked & { now: number; needsMethod: boolean; takesDebits: boolean },
): Parsed {
  const parsed = parseMethod(fields, options);
  if ('problem' in parsed) return parsed;
  try {
    return { form: { ...parsed.form, ...parseDetails(fields, options) } };
  } catch (error) {
    if (error instanceof z.ZodError) return firstProblem(error);
    throw error;
  }
}

function parseMethod(
  fields: Record<string, unknown>,
  options: { now: number; needsMethod: boolean; takesDebits: boolean },
): Parsed {
  // Enter in a field of the account presses the form's first button, the card's, so filled-in fields count as well.
  const wantsDebit = fields.method === 'us_bank_account' || (!fields.number && Boolean(fields.account_number));
  if (wantsDebit && options.needsMethod && options.takesDebits) return parseBankForm(fields);
  if (options.needsMethod) return parseCardForm(fields, options.now);
  const parsed = withoutMethod.safeParse(fields);
  return parsed.success ? { form: { ...parsed.data, card: null } } : firstProblem(parsed.error);
}

/** What to show again of a form that could not be parsed. */
export const typedIn = (fields: Record<string, unknown>): Typed =>
  Object.fromEntries(KEPT.flatMap((name) => (typeof fields[name] === 'string' ? [[name, fields[name]]] : [])));

/** What to show again of a form that was parsed. */
export const typedOf = ({ email, name, card, bank, ...details }: PaymentForm): Typed => ({
  email,
  name,
  ...detailsTyped(details),
  ...(card && {
    number: card.number,
    expiry: `${String(card.expMonth).padStart(2, '0')} / ${String(card.expYear).slice(2)}`,
  }),
  ...(bank && { account_holder: name, routing_number: bank.routingNumber, account_number: bank.accountNumber }),
});

/** The card form alone. */
export function parseCardForm(fields: Record<string, unknown>, now: number): Parsed {
  const parsed = withCard.safeParse(fields);
  if (!parsed.success) return firstProblem(parsed.error);
  const { number, expiry, cvc: _checked, ...rest } = parsed.data;
  const digits = expiry.replace(/\D/g, '').padStart(4, '0');
  const expMonth = Number(digits.slice(0, 2));
  const expYear = 2000 + Number(digits.slice(2));
  if (Date.UTC(expYear, expMonth, 1) / 1000 <= now) {
    return { problem: { field: 'expiry', message: "Your card's expiry is in the past." } };
  }
  return { form: { ...rest, card: { number: number.replace(/[\s-]/g, ''), expMonth, expYear } } };
}

function parseBankForm(fields: Record<string, unknown>): Parsed {
  const parsed = withBank.safeParse(fields);
  if (!parsed.success) return firstProblem(parsed.error);
  const { account_holder: name, routing_number, account_number, ...rest } = parsed.data;
  return {
    form: { ...rest, name, card: null, bank: { routingNumber: routing_number, accountNumber: account_number } },
  };
}

function firstProblem({ issues: [issue] }: z.ZodError): { problem: Problem } {
  return { problem: { field: (issue?.path[0] ?? 'number') as Field, message: issue?.message ?? '' } };
}
