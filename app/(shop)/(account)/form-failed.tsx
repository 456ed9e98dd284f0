'use client';

import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';

export function FormFailed() {
  return (
    <div className="w-full max-w-100">
      <Callout tone="danger" role="alert" title="The form could not be loaded">
        <p className="mb-3">Check your connection. If you block scripts, allow them on this page.</p>
        <Button onClick={() => location.reload()}>Try again</Button>
      </Callout>
    </div>
  );
}
