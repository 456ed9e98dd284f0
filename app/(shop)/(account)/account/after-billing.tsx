'use client';

import { usePolling } from '@/components/ui/use-polling';

/** Refreshes the page five times, since the customer may return from the billing portal before Stripe's event arrives. */
export function AfterBilling() {
  usePolling({ everyMs: 2_000, limit: 5 });
  return null;
}
