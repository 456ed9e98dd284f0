import type { ReactNode } from 'react';
import { PageShell } from '@/components/ui/page-shell';

/** The frame of the pages that Stripe hosts in real life. */
export function HostedPage({ name, children }: { name: string; children: ReactNode }) {
  return (
    <PageShell
      room="sandbox"
      header={
        <p className="py-3 text-sm">
          Stripe {name}, in the sandbox. No card is charged and nothing leaves this computer.
        </p>
      }
    >
      <div className="mx-auto max-w-4xl">{children}</div>
    </PageShell>
  );
}
