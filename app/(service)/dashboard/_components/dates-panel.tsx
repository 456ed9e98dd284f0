'use client';

import type { ReactNode, SyntheticEvent } from 'react';

/** A button that opens a form below it. Applying or resetting the form closes it, and so does Escape. Works without JavaScript. */
export function DatesPanel({ summary, children }: { summary: ReactNode; children: ReactNode }) {
  return (
    <details
      className="group sm:relative"
      onSubmit={close}
      onReset={close}
      onKeyDown={(event) => event.key === 'Escape' && close(event)}
    >
      <summary className="hit-area inline-flex min-h-8 list-none items-center rounded-control border border-border-strong bg-surface px-2.5 font-medium text-sm hover:bg-muted [&::-webkit-details-marker]:hidden">
        {summary}
      </summary>
      {children}
    </details>
  );
}

/** The focus moves to the summary if it was inside. */
function close({ currentTarget }: SyntheticEvent<HTMLDetailsElement>) {
  if (currentTarget.contains(document.activeElement)) currentTarget.querySelector('summary')?.focus();
  currentTarget.open = false;
}
