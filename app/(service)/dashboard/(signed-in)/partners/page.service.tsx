import type { Metadata } from 'next';
import { isStorableText } from '@/lib/service/clean-input';
import { parseDateRange } from '@/lib/service/dashboard/date-range';
import type { SearchParams } from '@/lib/service/dashboard/event-filter';
import { listPartners } from '@/lib/service/dashboard/partner-queries';
import { readLinkBase, requireAccess } from '@/lib/service/dashboard/session';
import { PartnerList } from '../../_components/partner-list';

export const metadata: Metadata = { title: 'Partners' };

export default async function PartnersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const params = await searchParams;
  const { programId } = await requireAccess('/dashboard/partners', params);
  const { cursor } = params;
  const now = new Date();
  const range = parseDateRange(params, now);
  const after = typeof cursor === 'string' && isStorableText(cursor) ? cursor : undefined;
  const [page, base] = await Promise.all([listPartners(programId, range, now, after), readLinkBase()]);
  return <PartnerList key={programId} page={page} range={range} isFirst={after === undefined} base={base} />;
}
