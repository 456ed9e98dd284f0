// The only file of this package that knows the service's wire names; everything else uses the library's names.
// Contract §2 and §4; what they leave open is decided in docs/decisions/0005-wire-format.md.

/**
 * The URL of a call. A first-party handler has its own paths, because blockers' lists contain `/api/v1/track/`.
 * @param baseUrl the service's address, the path of a first-party handler, or empty for the page's own origin
 */
export function trackUrl(baseUrl: string, kind: 'click' | 'lead' | 'sale'): string {
  const base = baseUrl.trim().replace(/\/+$/, '');
  return /^\/[^/]/.test(base) ? `${base}/${kind}` : `${base}/api/v1/track/${kind}`;
}

/**
 * Whether a server can call the service at this address: http(s), without credentials, and a path can be appended.
 * @example
 * ```ts
 * import { isServiceUrl } from '@svc/tracker/server';
 *
 * if (!isServiceUrl(process.env.TRACKING_URL)) throw new Error('Set TRACKING_URL to the address of the tracking service.');
 * ```
 */
export const isServiceUrl = (baseUrl: unknown): baseUrl is string =>
  typeof baseUrl === 'string' && // a variable that is not set, for callers without types
  /^https?:\/\/[^/@?#\s]+(\/[^?#\s]*)?$/i.test(baseUrl.trim()) &&
  URL.canParse(baseUrl);

/** A lead, as the server reports it. Contract §2, Lead. */
export type LeadFields = {
  /** Your own stable user ID, and not an email address. Report every later sale of this person with the same one. */
  customerExternalId: string;
  /** The value of the `svc_click_id` cookie. Leave it out only if the service already knows the customer. */
  clickId?: string | null | undefined;
  email?: string | null | undefined;
  /** Sent unchanged. `test_mode: true` with `program_id` creates a test lead. */
  additionalData?: AdditionalData | undefined;
};

export type AdditionalData = {
  test_mode?: boolean | undefined;
  program_id?: string | undefined;
  [key: string]: unknown;
};

/** A finalized sale. Contract §2, Sale. There is no `additionalData`: only a direct HTTP call can send it. */
export type SaleFields = {
  /** The same value as at sign-up. */
  customerExternalId: string;
  /** A positive integer in the currency's minor unit: cents for USD, yen for JPY. */
  amount: number;
  /** The payment's idempotency key: a second report gets a 409. */
  invoiceId: string;
  /** ISO 4217, lower case. Default `usd`. This and the next two extend the contract. */
  currency?: string | undefined;
  /** Your payment provider's ID of the subscription that this sale belongs to. */
  subscriptionId?: string | undefined;
  /** Whether this sale renews a subscription. Default false. */
  isRecurring?: boolean | undefined;
};

/** `leadId` is `null` if the service sends none. `provisional`: the lead has not settled yet. */
export type Lead = { leadId: string | null; provisional: boolean };
/** `saleId` is `null` if the service sends none. `attributed`: whether a partner gets the sale. `reason`: why none does. */
export type Sale = { saleId: string | null; attributed: boolean; reason: string | null };
/** `code` is `unknown` if the service sends none. */
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
  subscription_id: sale.subscriptionId,
  is_recurring: sale.isRecurring,
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

/** One browser call: no key, and no preflight on another origin, because a string is sent as text/plain. */
export const postInit = (body: object): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  keepalive: true, // completes even if the visitor leaves at once
});

export type WireBody = Record<string, unknown>;

/** A JSON object, or null for anything else. */
export function parseBody(text: string): WireBody | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as WireBody) : null;
  } catch {
    return null;
  }
}

/** A proxy's response instead of the service's. */
export const isPage = (body: string): boolean => body.trimStart().startsWith('<');

/** §4: only a 2xx without `provisional: true` is a settled lead. */
export const readLead = (body: WireBody): Lead => ({
  leadId: text(body.lead_id),
  provisional: body.provisional === true,
});

/** An inactive link is 200 without a click; `cookie_window_days` is the lifetime of the program's cookies. */
export const readClick = (body: WireBody) =>
  [body.click_id, ((body.cookie_window_days as number) || 60) * 86400] as [
    clickId: string | undefined,
    seconds: number,
  ];

export const readSale = (body: WireBody): Sale => ({
  saleId: text(body.sale_id),
  attributed: body.attributed === true,
  reason: text(body.reason),
});

/** The response to a click without its ID. */
export const withoutClickId = (body: WireBody): WireBody => ({ ...body, click_id: undefined });

/** The program, from the body of a click. */
export const readProgramId = (body: WireBody): unknown => body.program_id;

/** The page that the visitor arrived at, from the body of a click. */
export const readPageUrl = (body: WireBody): URL | null => {
  const url = text(body.affiliate_url) ?? '';
  return URL.canParse(url) ? new URL(url) : null;
};

export const errorBody = (code: string, message: string) => ({ error: message, code });

/**
 * Callers act on `unknown_customer` and `unknown_click` (docs/decisions/0014). If your service has its own codes for these, map them
 * here.
 */
export const readError = (body: WireBody): ServiceError => ({
  code: text(body.code) ?? 'unknown',
  message: text(body.error) ?? 'The tracking service gave no reason.',
});

const text = (value: unknown) => (typeof value === 'string' ? value : null);
