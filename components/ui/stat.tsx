import type { ReactNode } from 'react';

/** "12,345" */
export const formatCount = (count: number): string => count.toLocaleString('en-US');

/** A figure with its label, its change, a note, and a sparkline. Place several in a `<dl>`. */
export function Stat({
  label,
  value,
  change,
  remark,
  children,
}: {
  label: ReactNode;
  /** A number is shown as "12,345". */
  value: ReactNode;
  change?: ReactNode;
  remark?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="rounded-card border border-border bg-surface p-4">
      <dt className="text-muted-foreground text-sm">{label}</dt>
      <dd className="mt-1">
        <span className="flex flex-wrap items-baseline gap-x-2.5">
          <span className="font-semibold text-2xl tabular-nums tracking-tight">
            {typeof value === 'number' ? formatCount(value) : value}
          </span>
          {change}
        </span>
        {remark && <span className="mt-0.5 block text-muted-foreground text-sm">{remark}</span>}
        {children && <span className="mt-3 block">{children}</span>}
      </dd>
    </div>
  );
}
