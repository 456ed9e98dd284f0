import { Pager } from '@/components/ui/pager';

/** The page's query, with the place of each list. */
export type Query = Record<string, string | string[] | undefined>;

/** `list` is its place in the query, `label` what it is called. */
type ListPagerProps = { list: string; label: string; query: Query; next: string | null };

/** The pages of one of several lists. The other lists keep their places. */
export function ListPager({ list, label, query, next }: ListPagerProps) {
  return (
    <Pager
      label={`Pages of ${label}`}
      className="mt-4"
      first={query[list] ? hrefWith({ ...query, [list]: undefined }) : null}
      next={next && hrefWith({ ...query, [list]: next })}
    />
  );
}

function hrefWith(query: Query): string {
  const places = Object.entries(query).filter((place): place is [string, string] => typeof place[1] === 'string');
  return `/operator?${new URLSearchParams(places)}`;
}
