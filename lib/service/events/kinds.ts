import type { ReturnEntry } from '../payments/payment';
import type { EVENT_KINDS } from '../schemas';

/** The feed's kinds: those of §6, with provisional leads and renewals as separate kinds. */
export const FEED_KINDS = ['click', 'provisional', 'lead', 'sale', 'renewal', 'refund', 'not_attributed'] as const;
export type FeedKind = (typeof FEED_KINDS)[number];

/** The kinds of the events API. */
type EventKind = (typeof EVENT_KINDS)[number];

export function toEventKind(kind: FeedKind): EventKind {
  switch (kind) {
    case 'provisional':
      return 'lead';
    case 'renewal':
      return 'sale';
    default:
      return kind;
  }
}

/** The feed's kinds for a kind of the events API. */
export const feedKindsOf = (kind: EventKind): FeedKind[] => FEED_KINDS.filter((feed) => toEventKind(feed) === kind);

const RETURN_TITLES: Readonly<Record<string, string>> = {
  refund_failed: 'Refund failed',
  dispute_open: 'Dispute opened',
  dispute_lost: 'Dispute lost',
  dispute_won: 'Dispute won',
} satisfies Record<NonNullable<ReturnEntry['reason']>, string>;

/** What an entry of kind `refund` is, by its reason. */
export const returnTitle = (reason: string | null): string => RETURN_TITLES[reason ?? ''] ?? 'Refund';
