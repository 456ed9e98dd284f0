import { assertTimeout, request, type TrackResult } from './request.ts';
import {
  isServiceUrl,
  type Lead,
  type LeadFields,
  leadBody,
  readLead,
  readSale,
  type Sale,
  type SaleFields,
  saleBody,
  trackUrl,
  type WireBody,
} from './wire.ts';

export type ServerClientOptions = {
  /** The program API key, from the dashboard's program settings. For servers only. */
  apiKey: string;
  /** The service's address without `/api/v1`, such as `https://tracking.example`. */
  baseUrl: string;
  /** How long one call may take, including its retry. Default 5000 ms. */
  timeoutMs?: number | undefined;
};

export type CallOptions = {
  /** Overrides the client's `timeoutMs` for this call. */
  timeoutMs?: number | undefined;
  /** Ends the call early; it then throws a TrackingError of kind `aborted`. */
  signal?: AbortSignal | undefined;
  /** Sent as `x-request-id`, so that your log and the service's share the ID of the call: 8 to 128 letters, digits or `_.:-`. */
  requestId?: string | undefined;
};

export type ServerClient = {
  /**
   * Links a new user to a click. Safe to repeat: the first attribution stays.
   *
   * `ok: false` with 400 is expected for a visitor who was not referred (contract §7); nothing is recorded.
   * @throws {TrackingError} if the service does not respond with 2xx, 400 or 409, or if a proxy's page arrives instead
   * @throws {TypeError} if a value cannot be sent as JSON, or `requestId` as a header
   * @throws {Error} if `timeoutMs` is not a time
   * @example
   * ```ts
   * import { createServerClient } from '@svc/tracker/server';
   *
   * const tracking = createServerClient({ apiKey: '<API_KEY>', baseUrl: 'https://tracking.example' });
   * const lead = await tracking.trackLead({ customerExternalId: 'user_1', clickId: 'clk_1', email: '<EMAIL>' });
   * if (!lead.ok) console.info(`No lead: ${lead.error.message}`);
   * ```
   */
  trackLead(lead: LeadFields, options?: CallOptions): Promise<TrackResult<Lead>>;

  /**
   * Reports a finalized sale (contract §1, path B). The customer must be known from a lead.
   *
   * `ok: false` with 409 means that this `invoiceId` is already recorded: treat it as done. It may have been recorded by
   * the first attempt of the same call.
   * @throws {TrackingError} if the service does not respond with 2xx, 400 or 409, or if a proxy's page arrives instead
   * @throws {TypeError} if a value cannot be sent as JSON, or `requestId` as a header
   * @throws {Error} if `timeoutMs` is not a time
   * @example
   * ```ts
   * import { createServerClient } from '@svc/tracker/server';
   *
   * const tracking = createServerClient({ apiKey: '<API_KEY>', baseUrl: 'https://tracking.example' });
   * const sale = await tracking.trackSale({ customerExternalId: 'user_1', amount: 1900, invoiceId: 'invoice_1' });
   * if (!sale.ok && sale.status === 409) console.info('Already recorded.');
   * ```
   */
  trackSale(sale: SaleFields, options?: CallOptions): Promise<TrackResult<Sale>>;
};

const DEFAULT_TIMEOUT_MS = 5000;

/**
 * Creates the server client, with the program API key. One per process is enough; it keeps no state.
 * Contract §5: the key is held only on the server.
 * @throws if it is constructed in a browser, or with a key, an address or a time limit that is not valid
 * @example
 * ```ts
 * import { createServerClient } from '@svc/tracker/server';
 *
 * const tracking = createServerClient({
 *   apiKey: process.env.SVC_API_KEY ?? '',
 *   baseUrl: 'https://tracking.example',
 *   timeoutMs: 4000,
 * });
 * ```
 */
export function createServerClient({
  apiKey,
  baseUrl,
  timeoutMs = DEFAULT_TIMEOUT_MS,
}: ServerClientOptions): ServerClient {
  if (typeof window !== 'undefined' && typeof document !== 'undefined') {
    throw new Error('createServerClient holds the program API key: use it on a server only, never in a browser.');
  }
  const key = apiKey?.trim(); // a file's line breaks, before or after it
  if (!key || /[^ -~]/.test(key)) {
    throw new Error(
      'createServerClient needs apiKey: the program API key as the program settings show it, on one line.',
    );
  }
  if (!isServiceUrl(baseUrl)) {
    throw new Error('createServerClient needs baseUrl: the address of the service, such as https://tracking.example.');
  }

  assertTimeout(timeoutMs);

  const call = async <Data>(
    kind: 'lead' | 'sale',
    body: object,
    read: (body: WireBody) => Data,
    options: CallOptions = {},
  ) =>
    request({
      url: trackUrl(baseUrl, kind),
      apiKey: key,
      body,
      read,
      timeoutMs: assertTimeout(options.timeoutMs ?? timeoutMs),
      signal: options.signal,
      requestId: options.requestId,
    });

  return {
    trackLead: (lead, options) => call('lead', leadBody(lead), readLead, options),
    trackSale: (sale, options) => call('sale', saleBody(sale), readSale, options),
  };
}
