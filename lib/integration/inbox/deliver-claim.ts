import 'server-only';
import { type Answer, decideDelivery } from '@/lib/integration/domain/decide-delivery';
import { decideNextAttempt } from '@/lib/integration/domain/decide-next-attempt';
import type { Report } from '@/lib/integration/domain/report';
import { type Claim, settleEntry } from './inbox-store';

/** How reports leave the shop. `send` never throws: no answer is an answer too. */
export type Delivery = { send: (report: Report) => Promise<Answer>; now: () => Date };

/** One attempt: send, decide, write down. */
export async function deliverClaim(claim: Claim, delivery: Delivery): Promise<void> {
  const answer = await delivery.send(claim.report);
  const verdict = decideDelivery(claim.report, answer);
  const now = delivery.now();
  const { queuedAt, attempts } = claim;
  const next = decideNextAttempt(verdict, { queuedAt, attempts, now, random: Math.random() });
  if (next.state === 'dead' || ('pace' in verdict && verdict.pace === 'slow')) {
    console.error(`inbox: ${claim.report.kind} ${claim.id} is ${next.state}: ${next.reason} (status ${answer.status})`);
  }
  await settleEntry(claim, next, answer.status, now);
}
