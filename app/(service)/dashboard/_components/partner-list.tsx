import { Badge } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { Code } from '@/components/ui/code';
import { Empty } from '@/components/ui/empty';
import { TextField } from '@/components/ui/field';
import { CopyableId } from '@/components/ui/id';
import { PageHeader } from '@/components/ui/page-header';
import { formatCount } from '@/components/ui/stat';
import { Cell, HeaderCell, Table, TableHead, TableRow } from '@/components/ui/table';
import { TextLink } from '@/components/ui/text-link';
import { type DateRange, endsOf, writeDateRange } from '@/lib/service/dashboard/date-range';
import { writeEventFilter } from '@/lib/service/dashboard/event-filter';
import { addPartner } from '@/lib/service/dashboard/partner-actions';
import type { PartnerPage, PartnerSummary } from '@/lib/service/dashboard/partner-queries';
import { ActionForm } from './action-form';
import { CursorPager } from './cursor-pager';
import { CountedDays, DateRangeControl } from './date-range-control';
import { NetRevenue } from './figures';
import { FilterStatus } from './filter-form';
import { PartnerChanges, PartnerResults } from './partner-changes';
import { SearchEnd, SearchForm } from './search-form';

type PartnerListProps = {
  page: PartnerPage;
  search: string;
  range: DateRange;
  /** When the latest live event happened. */
  latest: Date | undefined;
  isFirst: boolean;
  /** Whether the program tracks no new clicks. */
  isPaused: boolean;
  /** The origin of partners' links. */
  base: string;
};

/** The partners page: a search, and a page of partners with their totals in a range of days. */
export function PartnerList({
  page: { partners, nextCursor, isPartial },
  search,
  range,
  latest,
  isFirst,
  isPaused,
  base,
}: PartnerListProps) {
  const kept = search && `q=${encodeURIComponent(search)}`;
  return (
    <>
      <PageHeader
        title="Partners"
        description={
          <>
            Add <Code>?aff=code</Code> to any public page of your site. Totals of{' '}
            <CountedDays range={range} latest={latest} path="/dashboard/partners" kept={kept} />
          </>
        }
        actions={<DateRangeControl range={range} path="/dashboard/partners" kept={kept} />}
      />
      <SearchForm
        path="/dashboard/partners"
        noun="partner"
        label="Code or name"
        search={search}
        kept={writeDateRange(range)}
      />
      <FilterStatus
        applied={`${search} ${nextCursor}`}
        noun="partner"
        count={partners.length}
        hasMore={isPartial || nextCursor !== null}
      />
      <PartnerResults>
        {partners.length > 0 ? (
          <Card>
            <Table caption="Partners by code">
              <TableHead>
                <HeaderCell>Partner</HeaderCell>
                <HeaderCell>Link</HeaderCell>
                <HeaderCell isNumeric>Clicks</HeaderCell>
                <HeaderCell isNumeric>Leads</HeaderCell>
                <HeaderCell isNumeric>New sales</HeaderCell>
                <HeaderCell isNumeric>Renewals</HeaderCell>
                <HeaderCell isNumeric>Net revenue</HeaderCell>
                <HeaderCell>Actions</HeaderCell>
              </TableHead>
              <tbody>
                {partners.map((partner) => (
                  <PartnerRow
                    key={partner.code}
                    partner={partner}
                    range={range}
                    isPaused={isPaused}
                    link={`${base}/?aff=${encodeURIComponent(partner.code)}`}
                  />
                ))}
              </tbody>
            </Table>
          </Card>
        ) : search ? (
          <Empty title="No partners found">
            No partner’s code or name starts with <Code>{search}</Code>.
          </Empty>
        ) : (
          <Empty title="No partners yet">Partners refer visitors with a link that carries their code.</Empty>
        )}
      </PartnerResults>
      <SearchEnd noun="partner" count={partners.length} isPartial={isPartial} />
      <div className="mt-4">
        <CursorPager
          path="/dashboard/partners"
          query={writeDateRange(range)}
          isFirst={isFirst}
          nextCursor={nextCursor && encodeURIComponent(nextCursor)}
          words={{ first: 'First', next: 'Next' }}
        />
      </div>
      <div className="mt-6">
        <NewPartner isPaused={isPaused} />
      </div>
    </>
  );
}

function NewPartner({ isPaused }: Pick<PartnerListProps, 'isPaused'>) {
  return (
    <Card
      id="new-partner"
      title="Add a partner"
      description={`The link works ${isPaused ? 'once the program is resumed' : 'at once'}. A code cannot be changed later.`}
    >
      <ActionForm action={addPartner} submitLabel="Add partner" variant="secondary">
        <div className="grid w-full gap-4 sm:grid-cols-2">
          <TextField
            id="code"
            name="code"
            label="Code"
            hint="What follows ?aff= in the partner's links. Case-sensitive."
            maxLength={255}
            required
            autoComplete="off"
          />
          <TextField
            id="name"
            name="name"
            label="Name"
            hint="Shown in this list. Defaults to the code."
            maxLength={60}
          />
        </div>
      </ActionForm>
    </Card>
  );
}

type PartnerRowProps = Pick<PartnerListProps, 'range' | 'isPaused'> & { partner: PartnerSummary; link: string };

function PartnerRow({ partner, range, isPaused, link }: PartnerRowProps) {
  const events = writeEventFilter({ partner: partner.code, mode: 'live', ...endsOf(range) });
  return (
    <TableRow>
      <Cell isRowHeader isWide>
        <span className="flex flex-wrap items-center gap-2">
          <TextLink prefetch={false} href={`/dashboard/events?${events}`} className="wrap-anywhere">
            {partner.name}
          </TextLink>
          {partner.isActive ? <Badge tone="success">Active</Badge> : <Badge>Inactive</Badge>}
        </span>
        {partner.name !== partner.code && (
          <span className="wrap-anywhere block text-muted-foreground text-xs">{partner.code}</span>
        )}
        {(isPaused || !partner.isActive) && (
          <span className="block text-muted-foreground text-xs">Clicks are not tracked</span>
        )}
      </Cell>
      <Cell isWide className="sm:max-w-36 lg:max-w-64">
        <CopyableId what={`the link of ${partner.name}`}>{link}</CopyableId>
      </Cell>
      <Cell isNumeric label="Clicks">
        {formatCount(partner.clicks)}
      </Cell>
      <Cell isNumeric label="Leads">
        {formatCount(partner.leads)}
      </Cell>
      <Cell isNumeric label="New sales">
        {formatCount(partner.newSales)}
      </Cell>
      <Cell isNumeric label="Renewals">
        {formatCount(partner.renewals)}
      </Cell>
      <Cell isNumeric label="Net revenue">
        <NetRevenue revenue={partner.revenue} />
      </Cell>
      <Cell isWide>
        <PartnerChanges partner={partner} />
      </Cell>
    </TableRow>
  );
}
