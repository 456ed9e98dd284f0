import 'server-only';
import { createServerClient, type ServerClientOptions, TrackingError } from '@svc/tracker/server';
import type { Answer } from '@/lib/integration/domain/decide-delivery';
import type { Report } from '@/lib/integration/domain/report';
import { appEnv, publicEnv, trackingEnv } from '@/lib/integration/env';
import type { Delivery } from './deliver-claim';
import { eraseCustomer } from './erase-customer';

/** The identity provider waits 15 s for an answer, and tries again 5 s after a failure. */
const LIMIT_MS = 4000;

/** Delivery to the tracking service of this app's variables. */
export const toService: Delivery = {
  send: (report) => {
    const baseUrl = publicEnv().NEXT_PUBLIC_SVC_BASE_URL ?? appEnv().APP_URL;
    return sendReport({ baseUrl, apiKey: trackingEnv().SVC_API_KEY }, report);
  },
  now: () => new Date(),
};

/** Sends one report with the program API key. Resolves with the service's answer, or with why there was none. */
export async function sendReport(service: ServerClientOptions, report: Report): Promise<Answer> {
  try {
    return await call({ timeoutMs: LIMIT_MS, ...service }, report);
  } catch (error) {
    return answerOf(error);
  }
}

async function call(service: ServerClientOptions, report: Report): Promise<Answer> {
  const tracking = createServerClient(service);
  switch (report.kind) {
    case 'lead': {
      const { status, ...lead } = await tracking.trackLead(report);
      return lead.ok ? { status, provisional: lead.data.provisional } : { status, code: lead.error.code };
    }
    case 'sale': {
      const { status, ...sale } = await tracking.trackSale(report);
      return sale.ok ? { status } : { status, code: sale.error.code };
    }
    case 'erasure':
      return { status: await eraseCustomer(service, report.customerExternalId) };
    default:
      return report satisfies never;
  }
}

function answerOf(error: unknown): Answer {
  if (!(error instanceof TrackingError)) return { status: null, reason: 'network' };
  // A 2xx that the client does not understand, such as the page of a proxy in between, has recorded nothing.
  if (error.status === undefined || error.status < 300) return { status: null, reason: error.kind };
  const { status, retryAfter } = error;
  return { status, ...(retryAfter !== undefined && { retryAfterSeconds: retryAfter }) };
}
