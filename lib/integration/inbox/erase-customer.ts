import 'server-only';
import type { ServerClientOptions } from '@svc/tracker/server';

/**
 * Asks the tracking service to forget a customer's e-mail address (docs/decisions/0066: a call of ours, not in the contract).
 * @returns the status: 2xx erased, 404 where the service has no such customer or no such call
 * @throws where the service does not answer in time
 */
export async function eraseCustomer(service: ServerClientOptions, customerExternalId: string): Promise<number> {
  const path = `/api/v1/customers/${encodeURIComponent(customerExternalId)}/email`;
  const response = await fetch(new URL(path, service.baseUrl), {
    method: 'DELETE',
    headers: { authorization: `Bearer ${service.apiKey}` },
    redirect: 'manual',
    signal: AbortSignal.timeout(service.timeoutMs ?? 4000),
  });
  await response.body?.cancel();
  return response.status;
}
