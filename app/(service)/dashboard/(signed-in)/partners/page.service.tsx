import type { Metadata } from 'next';
import { Badge } from '@/components/ui/badge';
import { Code } from '@/components/ui/code';
import { CopyButton } from '@/components/ui/copy-button';
import { Empty } from '@/components/ui/empty';
import { Money } from '@/components/ui/money';
import { PageHeader } from '@/components/ui/page-header';
import { Cell, HeaderCell, Table, TableHead, TableRow } from '@/components/ui/table';
import { TextLink } from '@/components/ui/text-link';
import type { SearchParams } from '@/lib/service/dashboard/event-filter';
import { listPartners, type PartnerSummary } from '@/lib/service/dashboard/partner-queries';
import { readLinkBase, requireAccess } from '@/lib/service/dashboard/session';
import { isStorableText } from '@/lib/service/http/read-body';
import { Pager } from '../../_components/pager';

export const metadata: Metadata = { title: 'Partners' };

export default async function PartnersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { programId } = await requireAccess();
  const { cursor } = await searchParams;
  const after = typeof cursor === 'string' && isStorableText(cursor) ? cursor : undefined;
  const [{ partners, nextCursor }, base] = await Promise.all([listPartners(programId, after), readLinkBase()]);
  return (
    <>
      <PageHeader
        title="Partners"
        description="Each has a link: any page of your site with aff and the partner’s code. Totals are without test events."
      />
      {partners.length === 0 ? (
        <Empty title="No partners yet">A partner is a code that visitors bring along in the aff parameter.</Empty>
      ) : (
        <Table caption="Partners by code" isCaptionHidden>
          <TableHead>
            <HeaderCell>Partner</HeaderCell>
            <HeaderCell>Link</HeaderCell>
            <HeaderCell isNumeric>Clicks</HeaderCell>
            <HeaderCell isNumeric>Leads</HeaderCell>
            <HeaderCell isNumeric>Sales</HeaderCell>
            <HeaderCell isNumeric>Revenue, less refunds</HeaderCell>
          </TableHead>
          <tbody>
            {partners.map((partner) => (
              <PartnerRow key={partner.code} partner={partner} link={`${base}/?aff=${partner.code}`} />
            ))}
          </tbody>
        </Table>
      )}
      <div className="mt-4">
        <Pager
          path="/dashboard/partners"
          query=""
          isFirst={after === undefined}
          nextCursor={nextCursor && encodeURIComponent(nextCursor)}
          words={{ first: 'First', next: 'Next' }}
        />
      </div>
    </>
  );
}

function PartnerRow({ partner, link }: { partner: PartnerSummary; link: string }) {
  return (
    <TableRow>
      <Cell isWide>
        <TextLink href={`/dashboard/events?partner=${encodeURIComponent(partner.code)}`}>{partner.name}</TextLink>
        <span className="mt-1 block">
          {partner.isActive ? <Badge tone="success">Active</Badge> : <Badge>Inactive: its link makes no clicks</Badge>}
        </span>
      </Cell>
      <Cell isWide className="min-w-56">
        <span className="flex flex-wrap items-center gap-2">
          <Code>{link}</Code>
          <CopyButton value={link} label={`Copy the link of ${partner.name}`} />
        </span>
      </Cell>
      <Cell isNumeric label="Clicks">
        {partner.clicks}
      </Cell>
      <Cell isNumeric label="Leads">
        {partner.leads}
      </Cell>
      <Cell isNumeric label="Sales">
        {partner.sales}
      </Cell>
      <Cell isNumeric label={partner.amounts.length > 0 ? 'Revenue' : undefined}>
        {partner.amounts.map(({ amount, currency }) => (
          <Money key={currency} amount={amount} currency={currency} className="block" />
        ))}
      </Cell>
    </TableRow>
  );
}
