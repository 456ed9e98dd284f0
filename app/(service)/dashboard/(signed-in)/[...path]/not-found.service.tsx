import { LinkButton } from '@/components/ui/link-button';
import { PageHeader } from '@/components/ui/page-header';

export default function NotFound() {
  return (
    <>
      <PageHeader title="Page not found" description="The page may have moved. Check the URL." />
      <LinkButton href="/dashboard">Overview</LinkButton>
    </>
  );
}
