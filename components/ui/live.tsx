'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { Button } from './button';

const EVERY_MS = 3_000;
/** Times such as "2 minutes ago" are brought up to date this often. */
const RENDER_AFTER_MS = 60_000;

type LiveProps = {
  /** The entries of the list, so that new ones can be announced once they are on the page. */
  ids: readonly string[];
  noun: string;
  plural?: string;
  /** The version that the page shows, and where to ask for the current one. Without it the page is rendered each time. */
  version?: { shown: string; path: string };
};

/** Keeps a list current: asks for its version, and for the page only where that has changed. */
export function Live({ ids, noun, plural = `${noun}s`, version }: LiveProps) {
  const router = useRouter();
  const [isPaused, setIsPaused] = useState(false);
  const [announcement, setAnnouncement] = useState('');
  const seen = useRef(new Set(ids));
  const { shown, path } = version ?? {};

  useEffect(() => {
    if (isPaused) return;
    let isAsking = false;
    let renderedAt = performance.now();
    const look = async () => {
      if (isAsking || document.visibilityState !== 'visible') return;
      isAsking = true;
      const isDue = performance.now() - renderedAt > RENDER_AFTER_MS;
      if (isDue || path === undefined || (await hasChanged(path, shown))) {
        renderedAt = performance.now();
        router.refresh();
      }
      isAsking = false;
    };
    const timer = setInterval(look, EVERY_MS);
    return () => clearInterval(timer);
  }, [isPaused, router, path, shown]);

  useEffect(() => {
    const fresh = ids.filter((id) => !seen.current.has(id));
    if (fresh.length === 0) return;
    seen.current = new Set(ids);
    setAnnouncement(`${fresh.length} new ${fresh.length === 1 ? noun : plural}`);
  }, [ids, noun, plural]);

  return (
    <div className="flex flex-row-reverse items-center">
      <Button variant="secondary" size="small" aria-pressed={isPaused} onClick={() => setIsPaused(!isPaused)}>
        <span
          aria-hidden="true"
          className={isPaused ? 'size-2 border-2 border-current' : 'size-2 rounded-full bg-success'}
        />
        {isPaused ? 'Paused: resume' : 'Live: pause'}
      </Button>
      <span role="status" className="text-muted-foreground text-sm not-empty:mr-3">
        {announcement}
      </span>
    </div>
  );
}

/** Also true where the session has ended, since the page then leads to the sign-in. A server that fails is asked again. */
async function hasChanged(path: string, shown: string | undefined): Promise<boolean> {
  const answer = await fetch(path, { cache: 'no-store' }).catch(() => null);
  if (answer?.status === 401) return true;
  return answer?.ok === true && (await answer.text()) !== shown;
}
