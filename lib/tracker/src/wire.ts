// The only file of this package that knows the service's wire names; everything else uses the library's names.
// Contract §2 and §4; where they are silent, docs/decisions/0030-client-names.md.

/** A lead, as the server reports it. Contract §2, Lead. */
export type LeadFields = {
  /** Your own stable user ID. Report every later sale of this person with the same one. */
  customerExternalId: string;
  /** The value of the `svc_click_id` cookie. Leave it out only where the service already knows the customer. */
  clickId?: string | null | undefined;
  email?: string | null | undefined;
  /** Sent as it is. `test_mode: true` with `program_id` makes a test lead. */
  additionalData?: AdditionalData | undefined;
};

export type AdditionalData = { test_mode?: boolean; program_id?: string; [key: string]: unknown };

/** A finalized sale. Contract §2, Sale. There is no `additionalData`: only a direct HTTP call can send it. */
export type SaleFields = {
  /** The same value as at sign-up. */
  customerExternalId: string;
  /** A positive integer in the currency's minor unit: cents for USD, yen for JPY. */
  amount: number;
  /** The idempotency key of the payment: reported twice, the second answer is 409. */
  invoiceId: string;
  /** ISO 4217, lower case. Default `usd`. An extension of the contract (docs/decisions/0030-client-names.md). */
  currency?: string | undefined;
};

export type Lead = { leadId: string | null; provisional: boolean };
export type Sale = { saleId: string; attributed: boolean; reason: string | null };
export type ServiceError = { code: string; message: string };

export const leadBody = (lead: LeadFields) => ({
  customer_key: lead.customerExternalId,
  click_id: lead.clickId,
  email: lead.email,
  additional_data: lead.additionalData,
});

export const saleBody = (sale: SaleFields) => ({
  customer_key: sale.customerExternalId,
  amount_cents: sale.amount,
  transaction_id: sale.invoiceId,
  currency: sale.currency,
});

export const browserLeadBody = (programId: string, userId: string, email: string, clickId: string) => ({
  program_id: programId,
  customer_key: userId,
  email,
  click_id: clickId,
});

export const clickBody = (programId: string, pageUrl: string, referrer: string, existingClickId: string | null) => ({
  program_id: programId,
  affiliate_url: pageUrl,
  referrer_url: referrer,
  existing_click_id: existingClickId,
});

export type WireAnswer = Record<string, unknown>;

/** §4: only a 2xx without `provisional: true` is a settled lead. */
export const readLead = (answer: WireAnswer): Lead => ({
  leadId: text(answer.lead_id),
  provisional: answer.provisional === true,
});

/** An inactive link is 200 without a click; `cookie_window_days` is how long the program lets its cookies last. */
export const readClick = (answer: WireAnswer) =>
  [answer.click_id, answer.cookie_window_days || 60] as [clickId: string | undefined, days: number];

export const readBrowserLead = (answer: WireAnswer) => ({
  ok: Boolean(answer.success),
  provisional: Boolean(answer.provisional),
});

export const readSale = (answer: WireAnswer): Sale => ({
  saleId: text(answer.sale_id) ?? '',
  attributed: answer.attributed === true,
  reason: text(answer.reason),
});

export const readError = (answer: WireAnswer): ServiceError => ({
  code: text(answer.code) ?? 'unknown',
  message: text(answer.error) ?? 'The tracking service gave no reason.',
});

const text = (value: unknown) => (typeof value === 'string' ? value : null);
