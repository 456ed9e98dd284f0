import type { ReactNode } from 'react';
import { cx } from './cx';

type CardProps = {
  title?: ReactNode;
  description?: ReactNode;
  /** Shown at the end of the title's line: a link, a badge, a button. */
  aside?: ReactNode;
  id?: string;
  className?: string;
  children?: ReactNode;
};

/** A section with its own title. */
export function Card({ title, description, aside, id, className, children }: CardProps) {
  const Element = title ? 'section' : 'div';
  const headingId = title && id ? `${id}-title` : undefined;
  return (
    <Element
      id={id}
      aria-labelledby={headingId}
      className={cx('min-w-0 rounded-card border border-border bg-surface p-4 sm:p-5', className)}
    >
      {title && (
        <div className="mb-4 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <div className="min-w-0">
            <h2 id={headingId} className="font-semibold text-lg tracking-tight">
              {title}
            </h2>
            {description && <p className="mt-1 max-w-prose text-pretty text-muted-foreground">{description}</p>}
          </div>
          {aside}
        </div>
      )}
      {children}
    </Element>
  );
}
