/** Every refusal of the service: its stable code, its status (§7, docs/decisions/0005), and what to do about it. */
const ERRORS = {
  invalid_json: [400, 'The body is not JSON that this service reads. Send one JSON object in UTF-8.'],
  invalid_body: [400, 'A field is missing or has a wrong value.'],
  invalid_url: [400, 'affiliate_url is not an http(s) address. Send the URL of the page the visitor arrived at.'],
  missing_aff: [400, 'affiliate_url has no "aff" query parameter, so it is not a partner\'s link.'],
  unknown_program: [
    400,
    "There is no program with this program_id. Copy the ID from the dashboard's program settings.",
  ],
  unknown_partner: [400, 'No partner of this program has the code in "aff". Check the link.'],
  program_mismatch: [400, "program_id is not the program of this API key. Send the ID of the key's own program."],
  not_referred: [
    400,
    'No click ID was sent and this customer is unknown. Expected for visitors who were not referred.',
  ],
  unknown_click: [
    400,
    'click_id is not a click of this program, or its attribution window has passed, and this customer is unknown.',
  ],
  lead_already_settled: [400, "This customer's lead is settled. Call signup() only on the page a new user lands on."],
  unknown_customer: [400, 'This customer has no lead. Track the lead first, with the same customer_key.'],
  invalid_query: [400, 'A query parameter has a wrong value.'],
  invalid_cursor: [400, 'The cursor is invalid. Send next_cursor of the previous page unchanged, or leave it out.'],
  invalid_signature: [400, "The Stripe-Signature does not match the body. Check the endpoint's signing secret."],
  missing_api_key: [401, 'Send the program API key as "Authorization: Bearer <API_KEY>".'],
  invalid_api_key: [
    401,
    "The API key is unknown, expired, revoked, or for the dashboard only. Create one in the dashboard's program settings.",
  ],
  not_found: [404, 'There is no such endpoint. /api/v1/openapi.json lists all of them.'],
  method_not_allowed: [405, 'This endpoint does not support this method. See the Allow header.'],
  duplicate_transaction: [409, 'A sale with this transaction_id already exists. Nothing new was recorded.'],
  body_too_large: [413, 'The body is too large: at most 64 KiB, and 512 KiB for payment webhooks.'],
  unsupported_media_type: [415, 'Send the body as application/json.'],
  rate_limited: [429, 'Too many requests. Wait for the number of seconds in Retry-After.'],
  internal_error: [500, "The service failed. Send the request again; the service's log says where it failed."],
  not_configured: [
    503,
    'SVC_STRIPE_WEBHOOK_SECRET is not set, so no payment event can be verified. Set it to the signing secret of the endpoint in Stripe.',
  ],
  store_unavailable: [
    503,
    'The store failed or did not respond in time. Send the request again: a sale that was already recorded gets a 409.',
  ],
} as const satisfies Record<string, readonly [status: number, error: string]>;

export type ErrorCode = keyof typeof ERRORS;

/** An expected refusal, as a value. `detail` replaces the table's sentence if more is known. */
export type Refusal = { ok: false; code: ErrorCode; detail?: string; retryAfterSeconds?: number };

export const refuse = (code: ErrorCode, detail?: string): Refusal => ({ ok: false, code, ...(detail && { detail }) });

/** The status and the body of a refusal: `{error, code}`, always. */
export function describeRefusal({ code, detail }: Refusal): {
  status: number;
  body: { error: string; code: ErrorCode };
} {
  const [status, error] = ERRORS[code];
  return { status, body: { error: detail ?? error, code } };
}

/** All codes with their statuses, for the API description. */
export const errorStatuses = (): Array<{ code: ErrorCode; status: number }> =>
  Object.entries(ERRORS).map(([code, [status]]) => ({ code: code as ErrorCode, status }));
