'use client';

import { usePolling } from '@/components/ui/use-polling';

/** Refreshes the page until it shows the plan, since the customer may arrive before Stripe's event. Stops after 30 refreshes. */
export function LookAgain() {
  usePolling({ everyMs: 2_000, limit: 30 });
  return null;
}
