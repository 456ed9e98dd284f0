'use client';

import { useSearchParams } from 'next/navigation';
import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from './button';
import { Empty } from './empty';

/** The props of a Next error page. */
export type ErrorPageProps = { error: Error & { digest?: string }; reset: () => void; retry: () => void };

/** Next removes an error when the path changes. This removes it when the query does, which is another page too. */
export function useQueryReset(reset: () => void): void {
  const query = useSearchParams().toString();
  const failed = useRef(query);
  useEffect(() => {
    if (query !== failed.current) reset();
  }, [query, reset]);
}

/** An error in place of a page. @param site the document's title ends with it */
export function ErrorPage({
  title,
  site,
  children,
  error,
  reset,
  retry,
}: ErrorPageProps & { title: string; site: string; children: ReactNode }) {
  useQueryReset(reset);
  return (
    <div role="alert">
      <title>{`${title} · ${site}`}</title>
      <Empty isPage title={title} action={<Button onClick={retry}>Try again</Button>}>
        {children} {error.digest && <>Reference: {error.digest}</>}
      </Empty>
    </div>
  );
}
