import { cx } from './cx';

/** Holds the place of what is loading. */
export function Skeleton({ label = 'Loading', className }: { label?: string; className?: string }) {
  return (
    <div role="status" className={cx('min-h-24 motion-safe:animate-pulse rounded-card bg-muted', className)}>
      <span className="sr-only">{label}</span>
    </div>
  );
}
