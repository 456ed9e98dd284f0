import { Badge } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { Code } from '@/components/ui/code';
import { Empty } from '@/components/ui/empty';
import { SubmitButton } from '@/components/ui/submit-button';
import { Cell, HeaderCell, Table, TableHead, TableRow } from '@/components/ui/table';
import { Time } from '@/components/ui/time';
import type { InboxEntry } from '@/lib/integration/inbox/list-entries';
import { retryEntry } from './actions';

/** Reports that the tracking service has not answered for good: what waits is tried again by itself, what died by hand. */
export function InboxCard({ entries, now }: { entries: InboxEntry[]; now: Date }) {
  return (
    <Card
      title="Reports to the tracking service"
      description="Leads and sales that are on their way, and those that the service has refused."
    >
      {entries.length === 0 ? (
        <Empty title="Everything is delivered">Reports that wait or were refused appear here.</Empty>
      ) : (
        <Table caption="Reports that are not settled, refused ones first" isCaptionHidden>
          <TableHead>
            <HeaderCell>Report</HeaderCell>
            <HeaderCell>Customer</HeaderCell>
            <HeaderCell>State</HeaderCell>
            <HeaderCell isNumeric>Attempts</HeaderCell>
            <HeaderCell>
              <span className="sr-only">What you can do</span>
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

function EntryState({ entry, now }: { entry: InboxEntry; now: Date }) {
  return (
    <>
      <Badge tone={entry.state === 'dead' ? 'danger' : 'warning'}>{entry.state === 'dead' ? 'Dead' : 'Waiting'}</Badge>{' '}
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

function RetryButton({ entry: { id, kind } }: { entry: InboxEntry }) {
  return (
    <form action={retryEntry}>
      <input type="hidden" name="entryId" value={id} />
      <SubmitButton variant="secondary" size="small" aria-label={`Try again: ${kind} ${id}`}>
        Try again
      </SubmitButton>
    </form>
  );
}
