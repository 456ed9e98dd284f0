import { z } from 'zod';
import { errorStatuses } from './errors';
import { KEPT_REASONS } from './payments/attribution';
import { RETURN_REASONS } from './payments/payment';
import { EVENT_KINDS } from './schemas';

// The endpoints' responses, for the API description; the contract tests check them.

export const clickResponse = z.union([
  z.object({
    success: z.literal(true),
    click_id: z.string().regex(/^clk_\w{20,}$/),
    partner_code: z.string(),
    cookie_window_days: z.int().min(1),
  }),
  z.object({ success: z.literal(false) }).describe('The link is inactive: no click.'),
]);

export const leadResponse = z.union([
  z.object({ success: z.literal(true), lead_id: z.string(), message: z.string() }).describe('The lead is settled.'),
  z
    .object({ success: z.literal(true), provisional: z.literal(true), message: z.string() })
    .describe('The lead is stored as provisional only.'),
]);

export const saleResponse = z.object({
  success: z.literal(true),
  sale_id: z.string(),
  attributed: z.boolean(),
  reason: z.string().optional().describe('Why a recorded sale has no partner.'),
});

const REASONS = [...KEPT_REASONS, ...RETURN_REASONS] as const;

export type EventReason = (typeof REASONS)[number];

export const eventEntry = z.object({
  id: z.string(),
  kind: z.enum(EVENT_KINDS).describe('`lead` includes provisional ones, `refund` disputes.'),
  created_at: z.iso
    .datetime()
    .describe(
      'When the event was recorded. After an outage, this is later than when it happened; daily totals use the day it happened.',
    ),
  test: z.boolean(),
  provisional: z.literal(true).optional(),
  click_id: z.string().optional(),
  partner_code: z.string().optional(),
  customer_key: z.string().optional(),
  transaction_id: z.string().optional(),
  amount_cents: z
    .int()
    .min(0)
    .meta({ format: 'int64' })
    .optional()
    .describe(
      'Minor units, without tax if Stripe names the tax. Never negative. A refund lowers the sale by this amount; one with the ' +
        'reason `refund_failed` raises it again. Absent if nothing changes, as while a dispute is open.',
    ),
  currency: z.string().optional(),
  reason: z.enum(REASONS).optional().describe('Of a refund, or of a payment that is not attributed.'),
});

export type EventEntry = z.output<typeof eventEntry>;

export const eventsResponse = z.object({
  data: z.array(eventEntry),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
});

export const webhookResponse = z.object({
  received: z.literal(true),
  outcome: z.enum(['sale', 'known_sale', 'refund', 'dispute', 'link', 'not_attributed', 'ignored']),
  reason: z.string().optional(),
});

export type WebhookOutcome = z.output<typeof webhookResponse>['outcome'];

export const erasureResponse = z.object({ success: z.literal(true), erased: z.int().min(0) });

export const errorResponse = z.object({
  error: z.string().describe('A sentence that says what happened and what to do.'),
  code: z.enum(errorStatuses().map(({ code }) => code)),
});
