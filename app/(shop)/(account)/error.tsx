'use client';

import { Button } from '@/components/ui/button';
import { Empty } from '@/components/ui/empty';

// Not at the root, where every marketing page would load it: nothing breaks there that was not broken when it was built.
export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <>
      <title>Something broke · Larkdesk</title>
      <h1 className="sr-only">Something broke</h1>
      <Empty title="Something broke on our side" action={<Button onClick={reset}>Try again</Button>}>
        Nothing you did was lost. {error.digest && <>If it happens again, tell us this number: {error.digest}.</>}
      </Empty>
    </>
  );
}
