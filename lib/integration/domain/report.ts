import { z } from 'zod';

/** What the shop tells the tracking service. Kept as JSON in the inbox, so it is parsed again when it comes out. */
export const reportSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('lead'),
    customerExternalId: z.string(),
    clickId: z.string().optional(),
    email: z.string().optional(),
  }),
  z.object({
    kind: z.literal('sale'),
    customerExternalId: z.string(),
    /** In the currency's minor units. */
    amount: z.int().positive(),
    currency: z.string(),
    invoiceId: z.string(),
  }),
  z.object({ kind: z.literal('erasure'), customerExternalId: z.string() }),
]);

export type Report = z.output<typeof reportSchema>;
