import type { ReactNode } from 'react';

/** A page's one h1, a sentence about it, and what you can do on the whole page. */
export function PageHeader({
  title,
  description,
  actions,
}: {
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <header className="mb-6 flex flex-wrap items-start justify-between gap-4">
      <div className="min-w-0">
        <h1 className="wrap-anywhere font-semibold text-2xl tracking-tight">{title}</h1>
        {description && (
          <div className="mt-1 max-w-prose text-pretty wrap-anywhere text-muted-foreground">{description}</div>
        )}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}
