import type { Metadata } from 'next';
import { listCustomers } from '@/lib/service/dashboard/customer-queries';
import type { SearchParams } from '@/lib/service/dashboard/event-filter';
import { readSearch } from '@/lib/service/dashboard/search';
import { requireAccess } from '@/lib/service/dashboard/session';
import { readCursor } from '@/lib/service/events/cursor';
import { CustomerList } from '../../_components/customer-list';
import { ProgramPage } from '../../_components/program-page';

export const metadata: Metadata = { title: 'Customers' };

export default async function CustomersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const params = await searchParams;
  const { programId } = await requireAccess('/dashboard/customers', params);
  const search = readSearch(params);
  const cursor = readCursor(params.cursor) ?? undefined;
  const page = await listCustomers(programId, { search, cursor });
  return (
    <ProgramPage programId={programId}>
      <CustomerList page={page} search={search} isFirst={!cursor} now={new Date()} />
    </ProgramPage>
  );
}
