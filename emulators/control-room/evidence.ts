// What a fault has done so far, as the deliveries and objects show it. Pure: `now` is passed in.
import type { Delivery } from '../core/deliveries';
import type { FaultName } from '../core/faults';

/** A sentence, and the delivery that shows it. */
export type Evidence = { text: string; delivery?: string; until?: string };

/** The fault that each control of the page switches on. */
type FaultSwitch = { name: FaultName; value: string };

export type Seen = {
  /** The newest ones, newest first. */
  deliveries: Delivery[];
  pendingWebhooks: number;
  subscriptionsWithoutMetadata: number;
  refusedRequests: number;
};

export function findEvidence({ name, value }: FaultSwitch, seen: Seen, now: Date): Evidence | null {
  switch (name) {
    case 'mode':
      if (value === 'duplicated') return findDuplicate(seen.deliveries);
      if (value === 'shuffled') return findDisorder(seen.deliveries);
      return countOf('Pending webhooks', seen.pendingWebhooks);
    case 'delay_seconds':
      return findDelayed(seen.deliveries, now);
    case 'drop_subscription_metadata':
      return countOf('Subscriptions without metadata', seen.subscriptionsWithoutMetadata);
    case 'outage':
      return countOf('Requests that got 503', seen.refusedRequests);
    default:
      return name satisfies never;
  }
}

const countOf = (what: string, count: number): Evidence | null => (count > 0 ? { text: `${what}: ${count}` } : null);

/** Two attempts at the same moment are two copies; retries are seconds apart. */
function findDuplicate(deliveries: Delivery[]): Evidence | null {
  const found = deliveries.find(({ attempts: [first, second] }) => first && second && gap(first, second) < 100);
  return found ? { text: `${found.event_type} was sent twice at the same moment`, delivery: found.id } : null;
}

const gap = (first: { attempted_at: string }, second: { attempted_at: string }): number =>
  Date.parse(second.attempted_at) - Date.parse(first.attempted_at);

/** A delivery that was attempted before one that had been enqueued earlier for the same customer and endpoint. */
function findDisorder(deliveries: Delivery[]): Evidence | null {
  for (const [index, later] of deliveries.entries()) {
    const attempted = later.attempts[0]?.attempted_at;
    const earlier = deliveries
      .slice(index + 1)
      .find(
        (one) =>
          one.subject === later.subject &&
          one.url === later.url &&
          attempted !== undefined &&
          (one.attempts[0]?.attempted_at ?? '9999') > attempted,
      );
    if (earlier) return { text: `${later.event_type} arrived before ${earlier.event_type}`, delivery: later.id };
  }
  return null;
}

function findDelayed(deliveries: Delivery[], now: Date): Evidence | null {
  const waiting = deliveries
    .filter(({ status, attempts }) => status === 'pending' && attempts.length === 0)
    .filter(({ next_attempt_at: next }) => next !== null && Date.parse(next) > now.getTime())
    .at(-1);
  if (!waiting?.next_attempt_at) return null;
  return { text: `${waiting.event_type} is sent`, delivery: waiting.id, until: waiting.next_attempt_at };
}
