'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';

const EVERY_MS = 2_000;
const REFRESHES = 30;

/**
 * Refreshes the page until it shows the plan, since the customer may arrive before Stripe's event. Stops after a minute in which the
 * page was visible.
 */
export function LookAgain() {
  const router = useRouter();
  useEffect(() => {
    let count = 0;
    const timer = setInterval(() => {
      if (document.visibilityState !== 'visible') return;
      count += 1;
      if (count === REFRESHES) clearInterval(timer);
      router.refresh();
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [router]);
  return null;
}
