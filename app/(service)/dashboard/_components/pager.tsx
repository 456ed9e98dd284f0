'use client';

import { LinkButton } from '@/components/ui/link-button';
import { useFocusAfterPaging } from '@/components/ui/use-focus-after-paging';
import { findShown } from './keyboard';

type PagerProps = {
  path: string;
  query: string;
  isFirst: boolean;
  nextCursor: string | null;
  words?: { first: string; next: string };
};

const BY_TIME = { first: 'Newest', next: 'Older' };

/** Keyset pages: the first, and the next. The focus moves to the list. */
export function Pager({ path, query, isFirst, nextCursor, words = BY_TIME }: PagerProps) {
  const startPaging = useFocusAfterPaging(() => findShown('main section:has(> table)')[0]);
  if (isFirst && !nextCursor) return null;
  return (
    <nav aria-label="Pages" className="flex gap-2">
      {!isFirst && (
        <LinkButton variant="secondary" href={`${path}?${query}`} onNavigate={startPaging}>
          {words.first}
        </LinkButton>
      )}
      {nextCursor && (
        <LinkButton variant="secondary" href={`${path}?${query}&cursor=${nextCursor}`} onNavigate={startPaging}>
          {words.next}
        </LinkButton>
      )}
    </nav>
  );
}
