import type { ReactNode } from 'react';
import { cx } from './cx';

type ThreadNodeProps = {
  title: ReactNode;
  /** A node that did not happen, or did not count, stays unlit and says why. */
  isLit: boolean;
  reason?: ReactNode;
  time?: ReactNode;
  children?: ReactNode;
};

/** A customer's journey as an ordered list: click, lead, sale, renewal. */
export function Thread({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ol aria-label={label} className="grid grid-cols-1">
      {children}
    </ol>
  );
}

/** A node of the thread. */
export function ThreadNode({ title, isLit, reason, time, children }: ThreadNodeProps) {
  return (
    <li className="group relative grid grid-cols-[1.5rem_1fr] gap-x-3 pb-6 last:pb-0">
      <span
        aria-hidden="true"
        className={cx(
          'absolute top-4 bottom-0 left-[0.6875rem] border-l-2 group-last:hidden',
          isLit ? 'border-link' : 'border-border-strong border-dashed',
        )}
      />
      <span aria-hidden="true" className="relative z-1 grid size-6 place-items-center">
        <span
          className={cx(
            'size-4 rounded-full border-2',
            isLit ? 'border-link bg-link' : 'border-border-strong border-dashed bg-surface',
          )}
        />
      </span>
      <div className="min-w-0">
        <div className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
          <span className={cx('font-semibold', !isLit && 'text-muted-foreground')}>{title}</span>
          {time && <span className="text-muted-foreground text-sm">{time}</span>}
        </div>
        {reason && (
          <p className={cx('mt-0.5 max-w-prose', isLit ? 'text-muted-foreground' : 'text-warning')}>{reason}</p>
        )}
        {children && <div className="mt-1 grid grid-cols-1 gap-1">{children}</div>}
      </div>
    </li>
  );
}
