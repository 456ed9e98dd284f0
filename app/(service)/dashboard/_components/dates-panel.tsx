'use client';

import { type FocusEvent, type ReactNode, type SyntheticEvent, useEffect, useRef } from 'react';

/**
 * A button that opens a form below it. Applying or resetting the form closes it, and so do Escape, a press outside and the
 * focus that leaves it. Works without JavaScript.
 */
export function DatesPanel({ summary, children }: { summary: ReactNode; children: ReactNode }) {
  const panel = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const onPointerDown = ({ target }: PointerEvent) => {
      if (target instanceof Node && !panel.current?.contains(target)) panel.current?.removeAttribute('open');
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, []);
  return (
    <details
      ref={panel}
      className="group sm:relative"
      onSubmit={close}
      onReset={close}
      onBlur={closeIfLeft}
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

/** Not when the window loses the focus: then nothing else has it. */
function closeIfLeft({ currentTarget, relatedTarget }: FocusEvent<HTMLDetailsElement>) {
  if (relatedTarget && !currentTarget.contains(relatedTarget)) currentTarget.open = false;
}
