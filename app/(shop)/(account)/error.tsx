'use client';

import { Button } from '@/components/ui/button';
import { Empty } from '@/components/ui/empty';

// Not in the root folder: static marketing pages cannot fail at run time and would load it for nothing.
export default function ErrorPage({ error, retry }: { error: Error & { digest?: string }; retry: () => void }) {
  return (
    <>
      <title>Something went wrong · Larkdesk</title>
      <div role="alert">
        <Empty isPage title="Something went wrong" action={<Button onClick={retry}>Try again</Button>}>
          Your data is safe. {error.digest && <>Reference: {error.digest}</>}
        </Empty>
      </div>
    </>
  );
}
