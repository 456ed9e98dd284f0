// One call to the tracking service. Every response or failure of the service is a result.
import 'server-only';
import { createServerClient, readRetryAfter, type ServerClientOptions, TrackingError } from '@svc/tracker/server';
import { appEnv, publicEnv, trackingEnv } from '@/lib/integration/env';
import type { SendResult } from './policy';
import type { Report } from './report';

/** Clerk waits 15 s for a response to its webhook, and retries 5 s after a failure. */
const LIMIT_MS = 4000;

/**
 * How reports are sent. `send` rejects only if the app's own settings are wrong (`EnvError`); the request ID is sent too, so that both
 * logs have the same one.
 */
export type Delivery = { send: (report: Report, requestId: string | null) => Promise<SendResult>; now: () => Date };

/** Delivery to the tracking service that the variables name. */
export const toService: Delivery = {
  send: async (report, requestId) => {
    const baseUrl = publicEnv().NEXT_PUBLIC_SVC_BASE_URL ?? appEnv().APP_URL;
    return sendReport({ baseUrl, apiKey: trackingEnv().SVC_API_KEY }, report, requestId);
  },
  now: () => new Date(),
};

/** Sends one report with the program API key. Resolves with the service's response, or with why there was none. */
export const sendReport = (
  service: ServerClientOptions,
  report: Report,
  requestId?: string | null,
): Promise<SendResult> => call({ timeoutMs: LIMIT_MS, ...service }, report, requestId ?? undefined).catch(resultOf);

async function call(service: ServerClientOptions, report: Report, requestId?: string): Promise<SendResult> {
  const tracking = createServerClient(service);
  switch (report.kind) {
    case 'lead': {
      const { status, ...lead } = await tracking.trackLead(report, { requestId });
      return lead.ok ? { status, provisional: lead.data.provisional } : { status, code: codeOf(lead.error) };
    }
    case 'sale': {
      const { status, ...sale } = await tracking.trackSale(report, { requestId });
      return sale.ok ? { status } : { status, code: codeOf(sale.error) };
    }
    case 'erasure':
      return eraseEmail(service, report.customerExternalId, requestId);
    default:
      return report satisfies never;
  }
}

/** The client's `unknown` is no code of the service: the contract promises none (§7). */
const codeOf = ({ code }: { code: string }) => (code === 'unknown' ? undefined : code);

function resultOf(error: unknown): SendResult {
  if (!(error instanceof TrackingError)) return { status: null, reason: 'network' };
  // A proxy's page has recorded nothing, whatever its status.
  if (error.status === undefined || isNamed(error.status)) return { status: null, reason: error.kind };
  return { status: error.status, retryAfterSeconds: error.retryAfter };
}

/** The contract says what these mean (§4, §7), from the service: the client throws them only if another server sent them. */
const isNamed = (status: number): boolean => status < 300 || status === 400 || status === 409;

/**
 * Asks the tracking service to delete a customer's email address (docs/decisions/0014: our extension, not in the contract).
 * @returns the status: 2xx erased; 404, 405 or 501 if the service has no such customer or no such endpoint
 * @throws if the service does not respond in time
 */
async function eraseEmail(
  service: ServerClientOptions,
  customerExternalId: string,
  requestId?: string,
): Promise<SendResult> {
  const path = `/api/v1/customers/${encodeURIComponent(customerExternalId)}/email`;
  const response = await fetch(`${service.baseUrl.replace(/\/+$/, '')}${path}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${service.apiKey}`, ...(requestId && { 'x-request-id': requestId }) },
    redirect: 'manual',
    signal: AbortSignal.timeout(service.timeoutMs ?? LIMIT_MS),
  });
  const isPage = (await response.text()).trimStart().startsWith('<');
  if (isPage && isNamed(response.status)) return { status: null, reason: 'unexpected' }; // as in `resultOf`
  return { status: response.status, retryAfterSeconds: readRetryAfter(response.headers.get('retry-after')) };
}
