'use client';

import { Button } from '@/components/ui/button';
import { Empty } from '@/components/ui/empty';

/** Where even the frame, which names the program, could not be read. */
export default function ServiceError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <main className="mx-auto max-w-2xl px-4 py-16">
      <h1 className="sr-only">The dashboard could not be read</h1>
      <Empty title="The dashboard could not be read" action={<Button onClick={reset}>Try again</Button>}>
        The service’s database may be unavailable. What was recorded is safe.{' '}
        {error.digest && <>Reference: {error.digest}.</>}
      </Empty>
    </main>
  );
}
