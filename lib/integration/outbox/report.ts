import { z } from 'zod';

/**
 * What your app tells the tracking service. Stored as JSON in the outbox and parsed again when it is claimed. Strict: an older version
 * leaves a report with a field that it does not know to a newer one, instead of sending it without the field.
 */
export const reportSchema = z.discriminatedUnion('kind', [
  /** §2, Lead. Without `clickId` it counts only if the service already knows the customer. */
  z.strictObject({
    kind: z.literal('lead'),
    customerExternalId: z.string(),
    clickId: z.string().optional(),
    email: z.string().optional(),
  }),
  /** §2, Sale: path B. */
  z.strictObject({
    kind: z.literal('sale'),
    customerExternalId: z.string(),
    /** In the currency's minor units. */
    amount: z.int().positive(),
    currency: z.string(),
    /** The idempotency key: unique per payment, forever. */
    invoiceId: z.string(),
    /** A later payment of the same subscription: a renewal. */
    isRecurring: z.boolean().optional(),
    subscriptionId: z.string().optional(),
  }),
  /** Our extension, not in the contract: deletes the customer's email address. */
  z.strictObject({ kind: z.literal('erasure'), customerExternalId: z.string() }),
]);

export type Report = z.output<typeof reportSchema>;
