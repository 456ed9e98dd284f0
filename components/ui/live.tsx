'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { Button } from './button';

const EVERY_MS = 3_000;

/** Keeps a list current; `ids` are its entries, so that new ones can be announced once they are on the page. */
export function Live({ ids, noun, plural = `${noun}s` }: { ids: readonly string[]; noun: string; plural?: string }) {
  const router = useRouter();
  const [isPaused, setIsPaused] = useState(false);
  const [announcement, setAnnouncement] = useState('');
  const seen = useRef(new Set(ids));

  useEffect(() => {
    if (isPaused) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') router.refresh();
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [isPaused, router]);

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
