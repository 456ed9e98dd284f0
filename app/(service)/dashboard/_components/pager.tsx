import { LinkButton } from '@/components/ui/link-button';

type PagerProps = {
  path: string;
  query: string;
  isFirst: boolean;
  nextCursor: string | null;
  words?: { first: string; next: string };
};

const BY_TIME = { first: 'Newest', next: 'Older' };

/** Keyset pages: the first, and the next. */
export function Pager({ path, query, isFirst, nextCursor, words = BY_TIME }: PagerProps) {
  if (isFirst && !nextCursor) return null;
  return (
    <nav aria-label="Pages" className="flex gap-2">
      {!isFirst && (
        <LinkButton variant="secondary" href={`${path}?${query}`}>
          {words.first}
        </LinkButton>
      )}
      {nextCursor && (
        <LinkButton variant="secondary" href={`${path}?${query}&cursor=${nextCursor}`}>
          {words.next}
        </LinkButton>
      )}
    </nav>
  );
}
