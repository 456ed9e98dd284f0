'use client';

import { usePolling } from '@/components/ui/use-polling';

/** Refreshes the page until it shows the plan, since the customer may arrive before Stripe's event. Stops after 30 refreshes. */
export function LookAgain() {
  const { isOffline, isOver } = usePolling({ everyMs: 2_000, limit: 30 });
  if (isOver) return ' This page no longer updates: reload it later, or look at your account.';
  return isOffline ? ' You are offline: this page updates once you are back.' : null;
}

/** Like `LookAgain`, but silent and only five times: a customer may return from the billing portal before Stripe's event arrives. */
export function LookAgainBriefly() {
  usePolling({ everyMs: 2_000, limit: 5 });
  return null;
}
