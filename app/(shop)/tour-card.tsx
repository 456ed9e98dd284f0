'use client';

import { useTracker } from '@svc/tracker';
import { useEffect, useState } from 'react';
import { TOUR_STEPS } from './tour-steps';
import { type Progress, TourView } from './tour-view';

const EVERY_MS = 3_000;

/** The tour as it stands for this visitor: ticks off each step when the tracking service has it on record. */
export function TourCard() {
  return <TourView {...useProgress()} />;
}

/** Asks the service only once there is a click to ask about, while the page is looked at, until the renewal is there. */
function useProgress(): Progress {
  const tracker = useTracker();
  const [progress, setProgress] = useState<Progress>({ clickId: null, happened: [] });
  const isComplete = TOUR_STEPS.every(({ views }) => views.some((view) => progress.happened.includes(view)));

  useEffect(() => {
    if (!tracker || isComplete) return;
    let isOver = false;
    const look = async () => {
      const clickId = tracker.getClickId();
      if (isOver || !clickId || document.visibilityState === 'hidden') return;
      const answer = await fetch(`/dashboard/journey?click=${encodeURIComponent(clickId)}`).catch(() => null);
      if (isOver) return;
      if (!answer?.ok) {
        clearInterval(timer);
        return;
      }
      const { steps } = (await answer.json()) as { steps: string[] };
      setProgress((before) => (before.happened.length === steps.length ? before : { clickId, happened: steps }));
    };
    const timer = setInterval(look, EVERY_MS);
    void look();
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [tracker, isComplete]);

  return progress;
}
