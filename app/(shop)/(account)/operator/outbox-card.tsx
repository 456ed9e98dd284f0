import { Badge } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { Code } from '@/components/ui/code';
import { Empty } from '@/components/ui/empty';
import { Cell, HeaderCell, Table, TableHead, TableRow } from '@/components/ui/table';
import { Time } from '@/components/ui/time';
import type { OutboxEntry } from '@/lib/shop/outbox';
import type { Page } from '@/lib/shop/page-cursor';
import { retryReport } from './actions';
import { ListPager, type Query } from './list-pager';
import { OperatorForm } from './operator-form';

const A_MINUTE = 60_000;

type OutboxCardProps = {
  dead: Page<OutboxEntry>;
  pending: Page<OutboxEntry>;
  query: Query;
  now: Date;
};

/** Reports that the tracking service has not accepted yet: pending ones are retried automatically, dead letters by hand. */
export function OutboxCard({ dead, pending, query, now }: OutboxCardProps) {
  const isEmpty = dead.rows.length + pending.rows.length === 0;
  const isFirst = !query.dead && !query.pending;
  return (
    <Card
      title="Outbox"
      description="Leads, sales and erasures that the tracking service has not accepted yet. Pending reports are retried automatically."
    >
      {isEmpty && isFirst && (
        <Empty title="All reports are delivered">Pending reports and dead letters appear here.</Empty>
      )}
      {isEmpty && !isFirst && <Empty title="No more reports on this page" />}
      {dead.rows.length > 0 && <EntryTable caption="Dead letters" entries={dead.rows} now={now} />}
      <ListPager list="dead" label="dead letters" query={query} next={dead.next} />
      {pending.rows.length > 0 && <EntryTable caption="Pending reports" entries={pending.rows} now={now} />}
      <ListPager list="pending" label="pending reports" query={query} next={pending.next} />
    </Card>
  );
}

function EntryTable({ caption, entries, now }: { caption: string; entries: OutboxEntry[]; now: Date }) {
  return (
    <Table caption={caption}>
      <TableHead>
        <HeaderCell>Report</HeaderCell>
        <HeaderCell>Customer</HeaderCell>
        <HeaderCell>State</HeaderCell>
        <HeaderCell isNumeric>Attempts</HeaderCell>
        <HeaderCell>
          <span className="sr-only">Actions</span>
        </HeaderCell>
      </TableHead>
      <tbody>
        {entries.map((entry) => (
          <TableRow key={entry.id} id={entry.id}>
            <Cell isRowHeader isWide>
              {entry.kind} <Code>{entry.id}</Code>
            </Cell>
            <Cell isWide>
              <Code>{entry.customerExternalId}</Code>
            </Cell>
            <Cell>
              <EntryState entry={entry} now={now} />
            </Cell>
            <Cell isNumeric label="Attempts">
              {entry.attempts}
            </Cell>
            <Cell>
              <RetryButton entry={entry} />
            </Cell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}

function EntryState({ entry, now }: { entry: OutboxEntry; now: Date }) {
  return (
    <>
      <Badge tone={entry.state === 'dead' ? 'danger' : 'warning'}>
        {entry.state === 'dead' ? 'Dead letter' : 'Pending'}
      </Badge>{' '}
      {entry.lastReason}
      {entry.state === 'pending' && (
        <>
          {' '}
          {now.getTime() - entry.dueAt.getTime() < A_MINUTE ? 'Next attempt' : 'Due'}{' '}
          <Time value={entry.dueAt} now={now} isExpected />
        </>
      )}
    </>
  );
}

function RetryButton({ entry: { id, kind } }: { entry: OutboxEntry }) {
  return (
    <OperatorForm action={retryReport} name="entryId" value={id} label={`Retry ${kind} ${id}`}>
      Retry
    </OperatorForm>
  );
}
