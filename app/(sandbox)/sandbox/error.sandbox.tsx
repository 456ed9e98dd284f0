'use client';

import { Button } from '@/components/ui/button';
import { Empty } from '@/components/ui/empty';

export default function SandboxError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <main className="mx-auto max-w-2xl px-4 py-16">
      <h1 className="sr-only">The sandbox could not answer</h1>
      <Empty title="The sandbox could not answer" action={<Button onClick={reset}>Try again</Button>}>
        Its database may be down: look at the terminal in which the app runs.{' '}
        {error.digest && <>Reference: {error.digest}.</>}
      </Empty>
    </main>
  );
}
