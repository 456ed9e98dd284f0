import { LinkButton } from '@/components/ui/link-button';
import { PageHeader } from '@/components/ui/page-header';

export default function NotFound() {
  return (
    <>
      <PageHeader
        title="No such customer"
        description="This program has no customer and no click with this ID. It may be another program’s."
      />
      <LinkButton href="/dashboard/customers">All customers</LinkButton>
    </>
  );
}
