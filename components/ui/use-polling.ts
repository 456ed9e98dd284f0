import { useRouter } from 'next/navigation';
import { useEffect, useState, useTransition } from 'react';

/** A page that has not changed is rendered after this time too, for relative times such as "2 minutes ago". */
const RENDER_AFTER_MS = 60_000;
/** A server that has not responded by then counts as down. */
const RESPONSE_LIMIT_MS = 15_000;

/** The version that the page shows, and the path of the current one. */
export type Version = { shown: string; path: string };

/** Every page has a new version, if there is a server to render it. */
const ALWAYS_NEW: Version = { shown: '', path: '/healthz' };

type Polling = { everyMs: number; isPaused?: boolean; version?: Version | undefined; limit?: number };

/**
 * Refreshes the page while it is visible and its version has changed.
 * @param polling `limit` is the number of refreshes after which it stops
 * @returns whether the server did not respond the last time, and whether the last refresh was made
 */
export function usePolling({ everyMs, isPaused = false, version = ALWAYS_NEW, limit }: Polling): {
  isOffline: boolean;
  isOver: boolean;
} {
  const router = useRouter();
  const [isOffline, setIsOffline] = useState(false);
  const [refreshes, setRefreshes] = useState(0);
  const [isRefreshing, startTransition] = useTransition();
  const { shown, path } = version;
  const isStopped = isPaused || isRefreshing; // a second refresh would discard the first

  useEffect(() => {
    if (isStopped || refreshes === limit) return;
    let isAsking = false;
    let hasEnded = false;
    const isWatched = () => !hasEnded && document.visibilityState === 'visible';
    const renderedAt = performance.now();
    const look = async () => {
      if (isAsking || !isWatched()) return;
      isAsking = true;
      const isDue = performance.now() - renderedAt > RENDER_AFTER_MS;
      const changed = await hasChanged(path, shown);
      if (!hasEnded) setIsOffline(changed === null);
      // Without a server the router would put the browser's error page in place of this one.
      if (changed !== null && (changed || isDue) && isWatched()) {
        clearInterval(timer); // until it has come
        setRefreshes((earlier) => earlier + 1);
        startTransition(() => router.refresh());
      }
      isAsking = false;
    };
    const timer = setInterval(look, everyMs);
    return () => {
      hasEnded = true; // ignores a pending response
      clearInterval(timer);
    };
  }, [isStopped, refreshes, limit, router, everyMs, path, shown]);

  return { isOffline, isOver: refreshes === limit };
}

/** Also true if the session has ended, since the page then redirects to the sign-in page. Null if the request failed: it is retried. */
async function hasChanged(path: string, shown: string): Promise<boolean | null> {
  try {
    const response = await fetch(path, { cache: 'no-store', signal: AbortSignal.timeout(RESPONSE_LIMIT_MS) });
    if (response.status >= 500) return null;
    return response.status === 401 || (response.ok && (await response.text()) !== shown);
  } catch {
    return null;
  }
}
