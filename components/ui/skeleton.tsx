import type { ReactNode } from 'react'; // part: service
import { cx } from './cx';

/** What streams in is put in its place by a script, so without JavaScript the page stays as it is before. */
export const NeedsJavaScript = () => (
  <noscript>
    <p className="p-4 text-foreground">This page needs JavaScript. Turn it on in your browser, then reload the page.</p>
  </noscript>
);

/** Reserves the space of content that is loading. */
export function Skeleton({ label = 'Loading', className }: { label?: string; className?: string }) {
  return (
    <div role="status" className={cx('min-h-24 motion-safe:animate-pulse rounded-card bg-muted', className)}>
      <span className="sr-only">{label}</span>
      <NeedsJavaScript />
    </div>
  );
}

// part: service
/** Reserves the space of a page with blocks of the page's sizes. */
export function PageSkeleton({ children }: { children: ReactNode }) {
  return (
    <div role="status">
      <span className="sr-only">Loading</span>
      <NeedsJavaScript />
      {children}
    </div>
  );
}

export function SkeletonBlock({ className }: { className?: string }) {
  return <div aria-hidden="true" className={cx('motion-safe:animate-pulse rounded-card bg-muted', className)} />;
}
// end: service
