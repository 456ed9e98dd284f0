'use client';

import { useTracker } from '@svc/tracker';
import { lazy, type ReactNode, Suspense } from 'react';

const TourCard = lazy(async () => ({ default: (await import('./tour-card')).TourCard }));

/** For the local demo: follows one visitor. What does the following loads after the page; until then `children` stand there. */
export function Tour({ children }: { children: ReactNode }) {
  const tracker = useTracker();
  if (!tracker) return children;
  return (
    <Suspense fallback={children}>
      <TourCard />
    </Suspense>
  );
}
