'use client';

import { useRef } from 'react';
import { LinkButton } from '@/components/ui/link-button';
import { useFocusAfterPaging } from '@/components/ui/use-focus-after-paging';

/** The page's query, with the place of each list. */
export type Query = Record<string, string | string[] | undefined>;

/** `list` is its place in the query, `label` what it is called. */
type OlderLinkProps = { list: string; label: string; query: Query; next: string | null };

/** Links to the first and the next page of the list before them. The other lists keep their places. */
export function OlderLink({ list, label, query, next }: OlderLinkProps) {
  const links = useRef<HTMLElement>(null);
  const startPaging = useFocusAfterPaging(() => links.current?.previousElementSibling);
  const link = { variant: 'secondary', size: 'small', onNavigate: startPaging } as const;
  const isFirst = !query[list];
  if (isFirst && !next) return null;
  return (
    <nav ref={links} aria-label={`Pages of ${label}`} className="mt-4 flex gap-2">
      {!isFirst && (
        <LinkButton {...link} href={hrefWith({ ...query, [list]: undefined })}>
          Newest
        </LinkButton>
      )}
      {next && (
        <LinkButton {...link} href={hrefWith({ ...query, [list]: next })}>
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
