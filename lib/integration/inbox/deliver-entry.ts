import 'server-only';
import { deliverClaim, type SendReport } from './deliver-claim';
import { claimEntries } from './inbox-store';
import { sendReport } from './send-report';

/** One attempt for one entry at once, where it is due and nobody else has it; otherwise the drain comes to it. */
export async function deliverEntry(id: string, now: Date, send: SendReport = sendReport): Promise<void> {
  for (const claim of await claimEntries({ now, limit: 1, id })) await deliverClaim(claim, send);
}
