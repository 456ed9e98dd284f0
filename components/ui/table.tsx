import type { ComponentProps, ReactNode } from 'react';
import { cx } from './cx';

type TableProps = {
  /** Says what the table lists; read out first. */
  caption: string;
  children: ReactNode;
};

/**
 * A table whose rows become blocks on narrow screens, and which scrolls inside its own region if it is still too wide.
 * Compose it of TableHead, TableRow and cells.
 */
export function Table({ caption, children }: TableProps) {
  return (
    <section
      className="relative -mx-1 overflow-x-auto px-1" // room for the focus rings of the first and the last column
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard (WCAG 2.1.1)
      tabIndex={0}
      aria-label={caption}
    >
      <table className="stacks w-full border-collapse text-left">
        <caption className="sr-only">{caption}</caption>
        {children}
      </table>
    </section>
  );
}

/** The columns' names, in order. */
export function TableHead({ children }: { children: ReactNode }) {
  return (
    <thead className="border-border border-b text-muted-foreground text-xs">
      <tr>{children}</tr>
    </thead>
  );
}

export function HeaderCell({ isNumeric = false, children }: { isNumeric?: boolean; children: ReactNode }) {
  return (
    <th
      scope="col"
      className={cx('whitespace-nowrap px-2 py-2 font-medium first:pl-0 last:pr-0 lg:px-3', isNumeric && 'text-right')}
    >
      {children}
    </th>
  );
}

export function TableRow(props: Omit<ComponentProps<'tr'>, 'className'>) {
  return (
    <tr
      className="border-border border-b last:border-b-0 hover:bg-muted/50 has-[a:focus-visible]:bg-muted data-arrived:arrived"
      {...props}
    />
  );
}

type CellProps = ComponentProps<'td'> & {
  isNumeric?: boolean;
  /** Whether it says what the row is about; screen readers read it with the row's other cells. */
  isRowHeader?: boolean;
  /** Shown before the value on narrow screens, which have no header row. */
  label?: string | undefined;
  /** Has its own line on narrow screens. */
  isWide?: boolean;
};

export function Cell({
  isNumeric = false,
  isRowHeader = false,
  label,
  isWide = false,
  className,
  ...props
}: CellProps) {
  const Element = isRowHeader ? 'th' : 'td';
  return (
    <Element
      scope={isRowHeader ? 'row' : undefined}
      data-label={label}
      className={cx(
        'px-2 py-(--cell-y) align-top first:pl-0 last:pr-0 lg:px-3',
        isNumeric && 'text-right tabular-nums',
        isRowHeader && 'font-normal',
        isWide && 'max-sm:basis-full',
        className,
      )}
      {...props}
    />
  );
}
