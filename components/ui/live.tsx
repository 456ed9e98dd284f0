'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState, useTransition } from 'react';
import { Button } from './button';

const EVERY_MS = 3_000;
/** How often relative times such as "2 minutes ago" are updated. */
const RENDER_AFTER_MS = 60_000;
/** How long new entries are announced, counted from the last of them. */
const ANNOUNCED_MS = 10_000;

type LiveProps = {
  /** The IDs of the list's rows: new ones are announced and marked. */
  ids: readonly string[];
  noun: string;
  /** The version that the page shows, and the path of the current one. Without it, the page is rendered each time. */
  version?: { shown: string; path: string };
};

/**
 * Keeps a list current: polls its version, and refreshes the page only if that has changed. Its `key` identifies the list: rows of
 * another filter or page are not new.
 */
export function Live({ ids, noun, version }: LiveProps) {
  const router = useRouter();
  const [isPaused, setIsPaused] = useState(false);
  const [isOffline, setIsOffline] = useState(false);
  const [arrived, setArrived] = useState(0);
  const [isRefreshing, startTransition] = useTransition();
  const seen = useRef(new Set(ids));
  const { shown, path } = version ?? {};

  useEffect(() => {
    if (isPaused || isRefreshing) return; // a second refresh would discard the first
    let isAsking = false;
    let isOver = false;
    const isWatched = () => !isOver && document.visibilityState === 'visible';
    const renderedAt = performance.now();
    const look = async () => {
      if (isAsking || !isWatched()) return;
      isAsking = true;
      const isDue = performance.now() - renderedAt > RENDER_AFTER_MS;
      const changed = path === undefined ? navigator.onLine || null : await hasChanged(path, shown);
      if (!isOver) setIsOffline(changed === null);
      // Without a server the router would put the browser's error page in place of the list.
      if (changed !== null && (changed || isDue) && isWatched()) {
        startTransition(() => router.refresh());
      }
      isAsking = false;
    };
    const timer = setInterval(look, EVERY_MS);
    return () => {
      isOver = true; // ignores a pending response
      clearInterval(timer);
    };
  }, [isPaused, isRefreshing, router, path, shown]);

  useEffect(() => {
    const fresh = ids.filter((id) => !seen.current.has(id));
    if (fresh.length === 0) return;
    seen.current = new Set(ids);
    for (const id of fresh) document.getElementById(id)?.setAttribute('data-arrived', '');
    setArrived((earlier) => earlier + fresh.length);
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
        {isPaused ? 'Paused' : connection}
        <span className="sr-only">{isPaused ? '(resume updates)' : '(pause updates)'}</span>
        <svg viewBox="0 0 10 10" className="size-2.5" fill="currentColor" aria-hidden="true">
          <path d={isPaused ? 'M2 1 9 5 2 9Z' : 'M1.5 1h2.5v8H1.5ZM6 1h2.5v8H6Z'} />
        </svg>
      </Button>
      <span role="status" className="text-muted-foreground text-sm not-empty:mr-3">
        {arrived > 0 && `${arrived} new ${noun}${arrived === 1 ? '' : 's'}`}
      </span>
    </div>
  );
}

/** Also true if the session has ended, since the page then redirects to the sign-in page. Null if the request failed: it is retried. */
async function hasChanged(path: string, shown: string | undefined): Promise<boolean | null> {
  try {
    const response = await fetch(path, { cache: 'no-store' });
    if (response.status >= 500) return null;
    return response.status === 401 || (response.ok && (await response.text()) !== shown);
  } catch {
    return null;
  }
}
