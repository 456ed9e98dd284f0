import { LinkButton } from '@/components/ui/link-button';
import { PageHeader } from '@/components/ui/page-header';

export default function NotFound() {
  return (
    <>
      <PageHeader
        title="Customer not found"
        description="This program has no customer and no click with this ID. It may belong to another program."
      />
      <LinkButton href="/dashboard/customers">All customers</LinkButton>
    </>
  );
}
