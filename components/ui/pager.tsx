'use client';

import { useEffect, useRef } from 'react';
import { cx } from './cx';
import { LinkButton } from './link-button';

type PagerProps = {
  /** The addresses of the first page and of the next one; null where the list shows the first or the last. */
  first: string | null;
  next: string | null;
  label?: string;
  words?: { first: string; next: string };
  className?: string;
};

const BY_TIME = { first: 'Newest', next: 'Older' };

/** Links between the pages of the table before it, which then gets the focus: the link that had it may be gone. */
export function Pager({ first, next, label = 'Pages', words = BY_TIME, className }: PagerProps) {
  const links = useRef<HTMLElement>(null);
  const isPaging = useRef(false);
  useEffect(() => {
    if (!isPaging.current) return;
    isPaging.current = false;
    findTableBefore(links.current)?.focus();
  });
  if (first === null && next === null) return null;
  const startPaging = () => {
    isPaging.current = true;
  };
  return (
    <nav ref={links} aria-label={label} className={cx('flex gap-2', className)}>
      {first !== null && (
        <LinkButton variant="secondary" href={first} onNavigate={startPaging}>
          {words.first}
        </LinkButton>
      )}
      {next !== null && (
        <LinkButton variant="secondary" href={next} onNavigate={startPaging}>
          {words.next}
        </LinkButton>
      )}
    </nav>
  );
}

/** The region of the last table before the links. */
function findTableBefore(links: HTMLElement | null): HTMLElement | undefined {
  const tables = Array.from(document.querySelectorAll<HTMLElement>('main section:has(> table)'));
  return tables.findLast((table) => links && table.compareDocumentPosition(links) & Node.DOCUMENT_POSITION_FOLLOWING);
}
