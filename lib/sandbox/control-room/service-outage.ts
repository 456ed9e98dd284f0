import 'server-only';
import { appUrl } from '../env';

// The embedded service has the switch (docs/decisions/0085); the sandbox knows its address, as anybody does.
const address = () => `${appUrl()}/dashboard/outage`;

/** Whether the service is down for this customer, '' for everyone; null where it cannot be taken down from here. */
export async function readOutage(customer: string): Promise<boolean | null> {
  const answer = await fetch(address(), { cache: 'no-store', signal: AbortSignal.timeout(2_000) }).catch(() => null);
  if (!answer?.ok) return null;
  const { outages } = (await answer.json()) as { outages: string[] };
  return outages.includes(customer);
}

export async function changeOutage(customer: string, isOut: boolean): Promise<void> {
  const answer = await fetch(address(), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: appUrl() },
    body: JSON.stringify({ about: customer, is_out: isOut }),
    cache: 'no-store',
    signal: AbortSignal.timeout(5_000),
  });
  if (!answer.ok) throw new Error(`The tracking service did not take the change: ${answer.status}.`);
}
