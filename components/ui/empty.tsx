import type { ReactNode } from 'react';

/** An empty state: what will appear here, and what to do first. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="grid justify-items-center gap-2 rounded-card border border-border-strong border-dashed px-4 py-10 text-center">
      <p className="font-medium">{title}</p>
      {children && <div className="max-w-prose text-pretty text-muted-foreground">{children}</div>}
      {action && <div className="mt-2">{action}</div>}
    </div>
  );
}
