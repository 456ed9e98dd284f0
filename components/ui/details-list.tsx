import type { ReactNode } from 'react';

/** Names and values, in two columns if there is room. */
export function DetailsList({ items }: { items: ReadonlyArray<readonly [name: string, value: ReactNode]> }) {
  return (
    <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-[max-content_1fr]">
      {items.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted-foreground">{name}</dt>
          <dd className="wrap-anywhere mb-1 min-w-0 sm:mb-0">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
