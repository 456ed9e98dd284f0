import { CopyableId, Id } from '@/components/ui/id';
import { TextLink } from '@/components/ui/text-link';

type CustomerNameProps = { customerKey: string; email: string | null; leadId: string | null };

/** A customer's email address if it is known, else the ID, with a link to the journey. The ID can be copied where it is not the link. */
export function CustomerName({ customerKey, email, leadId }: CustomerNameProps) {
  const name = email ? <span className="block truncate">{email}</span> : <Id>{customerKey}</Id>;
  return (
    <span className="grid min-w-0 grid-cols-[minmax(0,1fr)]">
      {leadId ? (
        <TextLink prefetch={false} href={`/dashboard/customers/${leadId}`} className="flex min-w-0 max-w-full">
          {name}
        </TextLink>
      ) : (
        <CopyableId what="customer ID">{customerKey}</CopyableId>
      )}
      {email && (
        <span className="flex max-w-40 text-muted-foreground">
          <CopyableId what="customer ID">{customerKey}</CopyableId>
        </span>
      )}
    </span>
  );
}
