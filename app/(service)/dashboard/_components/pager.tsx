import { LinkButton } from '@/components/ui/link-button';

type PagerProps = { path: string; query: string; isFirst: boolean; nextCursor: string | null };

/** Keyset pages: to the newest, and on to older ones. */
export function Pager({ path, query, isFirst, nextCursor }: PagerProps) {
  if (isFirst && !nextCursor) return null;
  return (
    <nav aria-label="Pages" className="flex gap-2">
      {!isFirst && (
        <LinkButton variant="secondary" href={`${path}?${query}`}>
          Newest
        </LinkButton>
      )}
      {nextCursor && (
        <LinkButton variant="secondary" href={`${path}?${query}&cursor=${nextCursor}`}>
          Older
        </LinkButton>
      )}
    </nav>
  );
}
