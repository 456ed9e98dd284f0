'use client';

import type { ReactNode } from 'react';
import { Button } from './button';
import { Empty } from './empty';

/** The props of a Next error page. */
export type ErrorPageProps = { error: Error & { digest?: string }; retry: () => void };

/** An error in place of a page. @param site the document's title ends with it */
export function ErrorPage({
  title,
  site,
  children,
  error,
  retry,
}: ErrorPageProps & { title: string; site: string; children: ReactNode }) {
  return (
    <div role="alert">
      <title>{`${title} · ${site}`}</title>
      <Empty isPage title={title} action={<Button onClick={retry}>Try again</Button>}>
        {children} {error.digest && <>Reference: {error.digest}</>}
      </Empty>
    </div>
  );
}
