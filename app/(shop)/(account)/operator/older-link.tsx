import { LinkButton } from '@/components/ui/link-button';

/** The page's query, with the place of each list. */
export type Query = Record<string, string | string[] | undefined>;

type OlderLinkProps = { list: string; query: Query; next: string | null };

/** Links to the first and the next page of a list. The other lists keep their places. */
export function OlderLink({ list, query, next }: OlderLinkProps) {
  const isFirst = !query[list];
  if (isFirst && !next) return null;
  return (
    <nav aria-label={`Pages of ${list}`} className="mt-4 flex gap-2">
      {!isFirst && (
        <LinkButton variant="secondary" size="small" href={hrefWith({ ...query, [list]: undefined })}>
          Newest
        </LinkButton>
      )}
      {next && (
        <LinkButton variant="secondary" size="small" href={hrefWith({ ...query, [list]: next })}>
          Older
        </LinkButton>
      )}
    </nav>
  );
}

function hrefWith(query: Query): string {
  const places = Object.entries(query).filter((place): place is [string, string] => typeof place[1] === 'string');
  return `/operator?${new URLSearchParams(places)}`;
}
