import type { EVENT_KINDS } from '../schemas.ts';

/** What the feed tells apart. Of the kinds of §6, a lead may be provisional and a sale may be a renewal. */
export const FEED_KINDS = ['click', 'provisional', 'lead', 'sale', 'renewal', 'refund', 'not_attributed'] as const;
export type FeedKind = (typeof FEED_KINDS)[number];

/** The kinds of the events API. */
export type EventKind = (typeof EVENT_KINDS)[number];

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

/** What a filter by a kind of the events API finds in the feed. */
export const feedKindsOf = (kind: EventKind): FeedKind[] => FEED_KINDS.filter((feed) => toEventKind(feed) === kind);
