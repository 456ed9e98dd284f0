import { Badge, type BadgeTone } from '@/components/ui/badge';
import type { EventView } from '@/lib/service/dashboard/event-filter';

export const EVENT_NAMES = {
  click: 'Click',
  provisional: 'Provisional lead',
  lead: 'Lead',
  sale: 'Sale',
  renewal: 'Renewal',
  refund: 'Refund',
  not_attributed: 'Not attributed',
} as const satisfies Record<EventView, string>;

const TONES = {
  click: 'neutral',
  provisional: 'warning',
  lead: 'info',
  sale: 'success',
  renewal: 'success',
  refund: 'danger',
  not_attributed: 'warning',
} as const satisfies Record<EventView, BadgeTone>;

/** What an event is, as text and shape. */
export function EventKind({ view }: { view: EventView }) {
  return <Badge tone={TONES[view]}>{EVENT_NAMES[view]}</Badge>;
}
