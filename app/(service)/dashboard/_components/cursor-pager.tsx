import { Pager } from '@/components/ui/pager';

type CursorPagerProps = {
  path: string;
  query: string;
  isFirst: boolean;
  nextCursor: string | null;
  words?: { first: string; next: string };
};

/** The pages of the list at `path`, with the filter in `query`. */
export function CursorPager({ path, query, isFirst, nextCursor, words }: CursorPagerProps) {
  const first = `${path}?${query}`;
  const next = nextCursor && `${first}&cursor=${nextCursor}`;
  return <Pager first={isFirst ? null : first} next={next} {...(words && { words })} />;
}
