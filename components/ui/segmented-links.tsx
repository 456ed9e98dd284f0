import Link from 'next/link';
import type { ComponentProps } from 'react';
import { cx } from './cx';

type Segment = { href: ComponentProps<typeof Link>['href']; name: string; isCurrent: boolean };

/** Links to alternative views of a page; one is current. */
export function SegmentedLinks({ label, segments }: { label: string; segments: readonly Segment[] }) {
  return (
    <nav
      aria-label={label}
      className="inline-flex flex-wrap gap-y-2 rounded-control border border-border-strong bg-surface p-0.5"
    >
      {segments.map(({ href, name, isCurrent }) => (
        <Link
          key={name}
          href={href}
          aria-current={isCurrent ? 'page' : undefined}
          scroll={false}
          className={cx(
            'hit-area inline-flex min-h-7 items-center whitespace-nowrap rounded-[calc(var(--radius-control)-2px)] px-2.5 font-medium text-sm',
            isCurrent
              ? 'bg-muted text-foreground underline decoration-2 decoration-primary underline-offset-4'
              : 'text-muted-foreground no-underline hover:text-foreground',
          )}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
