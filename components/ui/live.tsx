'use client';

import { useEffect, useRef, useState } from 'react';
import { Button } from './button';
import { usePolling, type Version } from './use-polling';

const EVERY_MS = 3_000;
/** How long new entries are announced, counted from the last of them. */
const ANNOUNCED_MS = 10_000;

type LiveProps = {
  /** The IDs of the list's rows: new ones are announced and marked. */
  ids: readonly string[];
  noun: string;
  /** The version that the page shows, and the path of the current one. Without it, the page is rendered each time. */
  version?: Version;
};

/**
 * Keeps a list current: polls its version, and refreshes the page only if that has changed. Its `key` identifies the list: rows of
 * another filter or page are not new.
 */
export function Live({ ids, noun, version }: LiveProps) {
  const [isPaused, setIsPaused] = useState(false);
  const [arrived, setArrived] = useState(0);
  const seen = useRef(new Set(ids));
  const focused = useRef<Element>(null);
  const { isOffline } = usePolling({ everyMs: EVERY_MS, isPaused, version });

  useEffect(() => {
    const remember = () => {
      focused.current = document.activeElement;
    };
    const forget = () => {
      focused.current = null; // a press that focuses something is followed by `focusin`
    };
    document.addEventListener('focusin', remember);
    document.addEventListener('pointerdown', forget);
    return () => {
      document.removeEventListener('focusin', remember);
      document.removeEventListener('pointerdown', forget);
    };
  }, []);

  useEffect(() => {
    const fresh = ids.filter((id) => !seen.current.has(id));
    if (fresh.length === 0) return;
    seen.current = new Set(ids);
    for (const id of fresh) document.getElementById(id)?.setAttribute('data-arrived', '');
    setArrived((earlier) => earlier + fresh.length);
    // They may have pushed out the row that had the focus: the list's region gets it.
    if (document.activeElement !== document.body || focused.current?.isConnected !== false) return;
    const region = document.getElementById(ids[0] ?? '')?.closest<HTMLElement>('section[tabindex]');
    region?.focus({ preventScroll: true });
  }, [ids]);

  // A screen reader reads what changes: the count grows with each arrival, and starts again after a while.
  useEffect(() => {
    if (arrived === 0) return;
    const timer = setTimeout(() => setArrived(0), ANNOUNCED_MS);
    return () => clearTimeout(timer);
  }, [arrived]);

  const connection = isOffline ? 'Offline' : 'Live';
  return (
    <div className="flex flex-row-reverse items-center">
      <Button variant="secondary" size="small" onClick={() => setIsPaused(!isPaused)}>
        {!isPaused && !isOffline && <span aria-hidden="true" className="size-2 rounded-full bg-success" />}
        <span>{isPaused ? 'Paused' : connection}</span>
        <span className="sr-only">{isPaused ? '(resume updates)' : '(pause updates)'}</span>
        <svg viewBox="0 0 10 10" className="size-2.5" fill="currentColor" aria-hidden="true">
          <path d={isPaused ? 'M2 1 9 5 2 9Z' : 'M1.5 1h2.5v8H1.5ZM6 1h2.5v8H6Z'} />
        </svg>
      </Button>
      <span role="status" className="text-muted-foreground text-sm not-empty:mr-3">
        {isOffline && !isPaused && <span className="sr-only">Offline: the list is not updated. </span>}
        {arrived > 0 && `${arrived} new ${noun}${arrived === 1 ? '' : 's'}`}
      </span>
    </div>
  );
}
