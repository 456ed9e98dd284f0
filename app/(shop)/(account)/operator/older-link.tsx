import { LinkButton } from '@/components/ui/link-button';

type OlderLinkProps = { list: string; isFirst: boolean; next: string | null };

/** Links to the first and the next page of a list. */
export function OlderLink({ list, isFirst, next }: OlderLinkProps) {
  if (isFirst && !next) return null;
  return (
    <nav aria-label={`Pages of ${list}`} className="mt-4 flex gap-2">
      {!isFirst && (
        <LinkButton variant="secondary" size="small" href="/operator">
          Newest
        </LinkButton>
      )}
      {next && (
        <LinkButton variant="secondary" size="small" href={`/operator?${list}=${next}`}>
          Older
        </LinkButton>
      )}
    </nav>
  );
}
