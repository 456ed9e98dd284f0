'use client';

import type { ReactNode } from 'react';
import { Button } from './button';
import { Empty } from './empty';

/** The props of a Next error page. */
export type ErrorPageProps = { error: Error & { digest?: string }; retry: () => void };

/** A full error page, for errors that replace the layout. */
export function ErrorPage({ title, children, error, retry }: ErrorPageProps & { title: string; children: ReactNode }) {
  return (
    <main className="mx-auto max-w-2xl px-4 py-16">
      <title>{title}</title>
      <div role="alert">
        <Empty isPage title={title} action={<Button onClick={retry}>Try again</Button>}>
          {children} {error.digest && <>Reference: {error.digest}.</>}
        </Empty>
      </div>
    </main>
  );
}
