import type { ReactNode } from 'react'; // part: service
import { cx } from './cx';

/** Reserves the space of content that is loading. */
export function Skeleton({ label = 'Loading', className }: { label?: string; className?: string }) {
  return (
    <div role="status" className={cx('min-h-24 motion-safe:animate-pulse rounded-card bg-muted', className)}>
      <span className="sr-only">{label}</span>
    </div>
  );
}

// part: service
/** Reserves the space of a page with blocks of the page's sizes. */
export function PageSkeleton({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <div role="status" className={className}>
      <span className="sr-only">Loading</span>
      {children}
    </div>
  );
}

export function SkeletonBlock({ className }: { className?: string }) {
  return <div aria-hidden="true" className={cx('motion-safe:animate-pulse rounded-card bg-muted', className)} />;
}
// end: service
