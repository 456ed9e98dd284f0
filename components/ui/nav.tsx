import type { ReactNode } from 'react';

/** A row of NavLinks; on narrow screens it scrolls sideways. */
export function Nav({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav aria-label={label} className="-mx-1 flex overflow-x-auto px-1 py-0.5 sm:gap-1">
      {children}
    </nav>
  );
}
