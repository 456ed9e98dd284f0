import { PageHeader } from '@/components/ui/page-header';
import { requireAccess } from '@/lib/service/dashboard/session';

export default async function OverviewPage() {
  const { programName } = await requireAccess();
  return <PageHeader title="Overview" description={programName} />;
}
