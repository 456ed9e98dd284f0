'use client';

import type { ReactNode } from 'react';
import { Button } from './button';
import { Empty } from './empty';

/** What Next hands to an error page. */
export type ErrorPageProps = { error: Error & { digest?: string }; reset: () => void };

/** A whole page that says what broke, for where no frame is left around it. */
export function ErrorPage({ title, children, error, reset }: ErrorPageProps & { title: string; children: ReactNode }) {
  return (
    <main className="mx-auto max-w-2xl px-4 py-16">
      <h1 className="sr-only">{title}</h1>
      <Empty title={title} action={<Button onClick={reset}>Try again</Button>}>
        {children} {error.digest && <>Reference: {error.digest}.</>}
      </Empty>
    </main>
  );
}
