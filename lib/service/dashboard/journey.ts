import { returnTitle } from '../events/kinds';
import type { DashboardEvent } from './event-queries';
import { explainReason } from './explain-reason';

/** A node of the journey click, lead, sale, renewal. `event` is null if it did not happen. */
export type JourneyNode = { title: string; isLit: boolean; reason: string | null; event: DashboardEvent | null };

const TITLES = { click: 'Click', lead: 'Lead', sale: 'Sale', renewal: 'Renewal' } as const;

function toNode(event: DashboardEvent, hasPaid: boolean, isSettled: boolean): JourneyNode {
  const reason = explainReason(event);
  switch (event.kind) {
    case 'provisional':
      return {
        title: 'Provisional lead',
        isLit: false,
        // §3: the lead does not count, and the user ID is not saved.
        reason: isSettled
          ? 'Reported by the browser first. The lead is settled now.'
          : 'Reported by the browser only. It counts once your server or a payment confirms it.',
        event,
      };
    case 'not_attributed':
      return { title: hasPaid ? 'Renewal not attributed' : 'Payment not attributed', isLit: false, reason, event };
    case 'refund':
      // Without an amount, it changes no sale: an open dispute.
      return { title: returnTitle(event.reason), isLit: event.money !== null, reason, event };
    default:
      return { title: TITLES[event.kind], isLit: true, reason, event };
  }
}

const missing = (title: string, reason: string): JourneyNode => ({ title, isLit: false, reason, event: null });

const NO_SIGN_UP =
  'No sign-up with this click yet. If the visitor followed another partner’s link later, the sign-up counts for that partner. A ' +
  'customer who already had a lead keeps it.';

const OLDER = 'Not shown: older than the entries on this page.';

/** The customer's stored lead; null while the visitor of a click is unknown. */
type StoredLead = { clickId: string | null; test: boolean } | null;

function missingClick(lead: StoredLead): JourneyNode {
  if (lead && !lead.clickId) {
    return missing('Click', 'No click: the lead was reported without one, as test leads are.');
  }
  return missing('Click', lead?.test ? 'Not shown: the click of a test lead is a live event.' : OLDER);
}

function missingLead(lead: StoredLead, hasProvisional: boolean, hasPayment: boolean): JourneyNode {
  if (lead) return missing('Lead', OLDER);
  if (!hasProvisional) return missing('Lead', NO_SIGN_UP);
  const settled = hasPayment ? 'no payment has settled it' : 'no payment has arrived';
  return missing('Lead', `Not settled: no lead with this click was accepted from your server, and ${settled}.`);
}

/**
 * One customer's journey, oldest first, with what is missing and why. The feed keeps entries for a limited time and a page reads
 * the newest ones, so the lead, not the feed, shows what never existed.
 * @param events of one customer or click, oldest first
 */
export function buildJourney(events: readonly DashboardEvent[], lead: StoredLead): JourneyNode[] {
  const has = (...kinds: ReadonlyArray<DashboardEvent['kind']>) => events.some(({ kind }) => kinds.includes(kind));
  const hasPayment = has('sale', 'renewal', 'not_attributed');
  const isSettled = lead !== null || has('lead');
  const firstPaid = events.findIndex(({ kind }) => kind === 'sale' || kind === 'renewal');
  const nodes = events.map((event, index) => toNode(event, firstPaid >= 0 && firstPaid < index, isSettled));
  if (!has('lead')) {
    const lastBefore = events.findLastIndex(({ kind }) => kind === 'click' || kind === 'provisional');
    nodes.splice(lastBefore + 1, 0, missingLead(lead, has('provisional'), hasPayment));
  }
  if (!has('click')) nodes.unshift(missingClick(lead));
  if (!hasPayment) {
    const isWhole = !lead || has('lead');
    nodes.push(missing('Sale', isWhole ? 'No payment yet.' : 'No payments in the events that are kept.'));
  }
  return nodes;
}
