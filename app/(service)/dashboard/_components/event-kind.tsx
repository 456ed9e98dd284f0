import { Badge, type BadgeTone } from '@/components/ui/badge';
import { CopyableId } from '@/components/ui/id';
import { Money, ReturnedMoney } from '@/components/ui/money';
import type { DashboardEvent } from '@/lib/service/dashboard/event-queries';
import { type FeedKind, returnTitle } from '@/lib/service/events/kinds';

export const EVENT_NAMES = {
  click: 'Click',
  provisional: 'Provisional lead',
  lead: 'Lead',
  sale: 'Sale',
  renewal: 'Renewal',
  refund: 'Refund',
  not_attributed: 'Not attributed',
} as const satisfies Record<FeedKind, string>;

const TONES = {
  click: 'neutral',
  provisional: 'warning',
  lead: 'info',
  sale: 'success',
  renewal: 'success',
  refund: 'danger',
  not_attributed: 'warning',
} as const satisfies Record<FeedKind, BadgeTone>;

/** Of the refund events that return no money. */
const TONE_OF_REASON = new Map<string | null, BadgeTone>([
  ['dispute_open', 'warning'],
  ['dispute_won', 'neutral'],
  ['refund_failed', 'neutral'],
]);

/** What an event is, as text and shape. */
export function EventKind({ kind, reason }: Pick<DashboardEvent, 'kind' | 'reason'>) {
  if (kind !== 'refund') return <Badge tone={TONES[kind]}>{EVENT_NAMES[kind]}</Badge>;
  return <Badge tone={TONE_OF_REASON.get(reason) ?? TONES.refund}>{returnTitle(reason)}</Badge>;
}

/** The click that a payment named, if it is unknown or has expired. */
export function UnknownClick({ event: { reason, clickId } }: { event: DashboardEvent }) {
  if (reason !== 'unknown_click' || !clickId) return null;
  return <CopyableId what="click ID">{clickId}</CopyableId>;
}

/** The amount of an event; refunds are shown as returned money, unless they failed and restore the sale's amount. */
export function EventAmount({ kind, money, reason }: Pick<DashboardEvent, 'kind' | 'money' | 'reason'>) {
  if (!money) return null;
  if (kind === 'refund' && reason !== 'refund_failed') return <ReturnedMoney {...money} />;
  return <Money {...money} className={kind === 'not_attributed' ? 'text-muted-foreground' : undefined} />;
}
