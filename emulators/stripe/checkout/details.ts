// What Checkout asks for besides the payment method if the seller wants it: a billing address, a phone number, consent.
import { z } from 'zod';
import type { Address } from '../objects/customers';

/** What a session asks for. */
export type Asked = { needsAddress?: boolean; needsPhone?: boolean; needsConsent?: boolean };

export type Details = { address?: Address | undefined; phone?: string | undefined };

const line = (max: number) => z.string().trim().max(max);
const optionalLine = line(200)
  .default('')
  .transform((text) => text || null);

const billing = z.object({
  country: z.string().regex(/^[A-Z]{2}$/, 'Choose your country.'),
  line1: line(200).min(1, 'Enter your address.'),
  line2: optionalLine,
  postal_code: line(20).min(1, 'Enter your postal code.'),
  city: line(100).min(1, 'Enter your city.'),
  state: optionalLine,
});

const phone = z.object({
  phone: z
    .string()
    .transform((text) => text.replace(/[^\d+]/g, ''))
    .pipe(z.string().regex(/^\+?\d{6,15}$/, 'Enter your phone number.')),
});

const consent = z.object({ terms_of_service: z.literal('accepted', 'Accept the terms to continue.') });

/** The names of the fields, whose values are shown again with a problem. */
export const DETAIL_FIELDS = ['line1', 'line2', 'postal_code', 'city', 'state', 'phone', 'country'] as const;

/** @throws ZodError for the first field that is missing or wrong */
export function parseDetails(fields: Record<string, unknown>, asked: Asked): Details {
  const details: Details = {
    ...(asked.needsAddress && { address: billing.parse({ ...fields, country: fields.country ?? '' }) }),
    ...(asked.needsPhone && phone.parse({ ...fields, phone: fields.phone ?? '' })),
  };
  if (asked.needsConsent) consent.parse(fields);
  return details;
}

/** What was typed, in the form's own fields. */
export const detailsTyped = ({ address, phone: number }: Details): Record<string, string> => ({
  ...(number && { phone: number }),
  ...Object.fromEntries(Object.entries(address ?? {}).map(([name, value]) => [name, value ?? ''])),
});
