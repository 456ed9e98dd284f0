import { Badge, type BadgeTone } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { Code } from '@/components/ui/code';
import { Empty } from '@/components/ui/empty';
import { formatMoney } from '@/components/ui/format-money';
import { CopyableId } from '@/components/ui/id';
import { Money } from '@/components/ui/money';
import { Cell, HeaderCell, Table, TableHead, TableRow } from '@/components/ui/table';
import { Time } from '@/components/ui/time';
import { findPlan } from '@/lib/integration/plans';
import type { ReportState } from '@/lib/shop/outbox';
import type { Page } from '@/lib/shop/page-cursor';
import type { Transfer } from '@/lib/shop/transfers';
import { markPaid, reportAgain } from './actions';
import { ListPager, type Query } from './list-pager';
import { OperatorForm } from './operator-form';

type Row = Transfer & { report: ReportState | undefined };

/** Path B: an operator sees the money on the bank statement, and the shop reports the sale. */
export function TransfersCard({ transfers: { rows, next }, query }: { transfers: Page<Row>; query: Query }) {
  return (
    <Card
      title="Bank transfers"
      description="Mark a transfer as paid once the money has arrived. The sale is reported to the tracking service at once."
    >
      {rows.length === 0 ? (
        <Empty title="No transfers yet">A customer starts one with “Pay by bank transfer” on the pricing page.</Empty>
      ) : (
        <Table caption="Bank transfers, newest first">
          <TableHead>
            <HeaderCell>Reference</HeaderCell>
            <HeaderCell>Plan</HeaderCell>
            <HeaderCell isNumeric>Amount</HeaderCell>
            <HeaderCell>Ordered</HeaderCell>
            <HeaderCell>Report</HeaderCell>
            <HeaderCell>
              <span className="sr-only">Actions</span>
            </HeaderCell>
          </TableHead>
          <tbody>
            {rows.map((transfer) => (
              <TableRow key={transfer.invoiceId} id={transfer.invoiceId}>
                <Cell isRowHeader>
                  <Code className="whitespace-nowrap">{transfer.invoiceId}</Code>
                  <span className="flex max-w-48 text-muted-foreground">
                    <CopyableId what="customer ID">{transfer.userId}</CopyableId>
                  </span>
                </Cell>
                <Cell>{findPlan(transfer.plan)?.label ?? transfer.plan}</Cell>
                <Cell isNumeric>
                  <Money amount={transfer.amount} currency={transfer.currency} />
                </Cell>
                <Cell label="Ordered">
                  <Time value={transfer.requestedAt} isDay />
                </Cell>
                <Cell>
                  <ReportBadge transfer={transfer} />
                </Cell>
                <Cell>
                  <TransferAction transfer={transfer} />
                </Cell>
              </TableRow>
            ))}
          </tbody>
        </Table>
      )}
      <ListPager list="transfers" label="bank transfers" query={query} next={next} />
    </Card>
  );
}

function ReportBadge({ transfer: { paidAt, report } }: { transfer: Row }) {
  if (!paidAt) return <Badge>Not paid yet</Badge>;
  const reason = report?.lastReason ?? 'not attempted yet';
  if (report?.state === 'done') return <Badge tone="success">Sale {reason}</Badge>;
  const [tone, state] = STATES[report?.state ?? 'pending'];
  return (
    <>
      <Badge tone={tone}>{state}</Badge> {reason}
    </>
  );
}

const STATES: Record<'skipped' | 'dead' | 'pending', [BadgeTone, string]> = {
  skipped: ['neutral', 'No sale'],
  dead: ['danger', 'Dead letter'],
  pending: ['warning', 'Pending'],
};

function TransferAction({ transfer: { invoiceId, amount, currency, paidAt } }: { transfer: Row }) {
  const label = paidAt ? 'Report again' : 'Mark as paid';
  return (
    <OperatorForm
      action={paidAt ? reportAgain : markPaid}
      name="invoiceId"
      value={invoiceId}
      label={`${label}: ${invoiceId}`}
      {...(!paidAt && {
        question: `Has ${formatMoney(amount, currency)} arrived for ${invoiceId}? The customer gets the plan.`,
      })}
    >
      {label}
    </OperatorForm>
  );
}
