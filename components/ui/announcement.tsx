import type { ReactNode } from 'react';

/** What a page shows now, for screen readers alone. With another `of` it is announced again, even if it reads the same. */
export function Announcement({ of, children }: { of: string; children: ReactNode }) {
  return (
    <p role="status" className="sr-only">
      <span key={of}>{children}</span>
    </p>
  );
}
