import 'server-only';
import { type Delivery, deliverClaim } from './deliver-claim';
import { claimEntries } from './inbox-store';
import { toService } from './send-report';

/** One attempt for one entry at once, where it is due and nobody else has it; otherwise the drain comes to it. */
export async function deliverEntry(id: string, delivery: Delivery = toService): Promise<void> {
  for (const claim of await claimEntries({ now: delivery.now(), limit: 1, id })) await deliverClaim(claim, delivery);
}
