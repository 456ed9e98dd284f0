import { LinkButton } from '@/components/ui/link-button';
import { PageHeader } from '@/components/ui/page-header';

export default function NotFound() {
  return (
    <>
      <PageHeader
        title="Customer not found"
        description="This program has no customer, lead, click or sale with this customer, lead, click or payment ID. A payment that was not attributed is listed under Events."
      />
      <LinkButton href="/dashboard/customers">All customers</LinkButton>
    </>
  );
}
