'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useState, useTransition } from 'react';

const EVERY_MS = 2_000;
const REFRESHES = 30;

/** Refreshes the page until it shows the plan, since the customer may arrive before Stripe's event. Stops after 30 refreshes. */
export function LookAgain() {
  const router = useRouter();
  const [count, setCount] = useState(0);
  const [isRefreshing, startTransition] = useTransition();
  useEffect(() => {
    if (isRefreshing || count === REFRESHES) return; // a second refresh would discard the first
    const timer = setInterval(() => {
      if (document.visibilityState !== 'visible' || !navigator.onLine) return;
      setCount(count + 1);
      startTransition(() => router.refresh());
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [count, isRefreshing, router]);
  return null;
}
