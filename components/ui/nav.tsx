import type { ReactNode } from 'react';
import { cx } from './cx';

type NavProps = {
  label: string;
  /** For more links than fit a phone at their full size. */
  isDense?: boolean;
  children: ReactNode;
};

/** A row of NavLinks; on narrow screens it scrolls sideways, or wraps if it is dense. */
export function Nav({ label, isDense = false, children }: NavProps) {
  return (
    <nav
      aria-label={label}
      className={cx(
        '-mx-1 flex overflow-x-auto px-1 py-0.5 *:-outline-offset-2 sm:gap-1',
        isDense && 'max-[25rem]:flex-wrap max-[25rem]:*:px-1 max-[25rem]:*:text-[0.8125rem]',
      )}
    >
      {children}
    </nav>
  );
}
