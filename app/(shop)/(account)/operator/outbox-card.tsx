import { Badge } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { Code } from '@/components/ui/code';
import { Empty } from '@/components/ui/empty';
import { SubmitButton } from '@/components/ui/submit-button';
import { Cell, HeaderCell, Table, TableHead, TableRow } from '@/components/ui/table';
import { Time } from '@/components/ui/time';
import type { OutboxEntry } from '@/lib/shop/outbox';
import { retryReport } from './actions';

/** Reports that the tracking service has not accepted yet: pending ones are retried automatically, dead letters by hand. */
export function OutboxCard({ entries, now }: { entries: OutboxEntry[]; now: Date }) {
  return (
    <Card
      title="Outbox"
      description="Leads and sales that the tracking service has not accepted yet. Pending reports are retried automatically."
    >
      {entries.length === 0 ? (
        <Empty title="All reports are delivered">Pending reports and dead letters appear here.</Empty>
      ) : (
        <Table caption="Pending reports and dead letters" isCaptionHidden>
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
              <TableRow key={entry.id}>
                <Cell isWide>
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
      )}
    </Card>
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
          Next attempt <Time value={entry.dueAt} now={now} />
        </>
      )}
    </>
  );
}

function RetryButton({ entry: { id, kind } }: { entry: OutboxEntry }) {
  return (
    <form action={retryReport}>
      <input type="hidden" name="entryId" value={id} />
      <SubmitButton variant="secondary" size="small" aria-label={`Retry ${kind} ${id}`}>
        Retry
      </SubmitButton>
    </form>
  );
}
