import type { Metadata } from 'next';
import Form from 'next/form';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Code } from '@/components/ui/code';
import { Empty } from '@/components/ui/empty';
import { TextField } from '@/components/ui/field';
import { Money } from '@/components/ui/money';
import { PageHeader } from '@/components/ui/page-header';
import { Cell, HeaderCell, Table, TableHead, TableRow } from '@/components/ui/table';
import { TextLink } from '@/components/ui/text-link';
import { Time } from '@/components/ui/time';
import { readCursor } from '@/lib/service/dashboard/cursor';
import { type Customer, listCustomers } from '@/lib/service/dashboard/customer-queries';
import type { SearchParams } from '@/lib/service/dashboard/event-filter';
import { requireAccess } from '@/lib/service/dashboard/session';
import { Pager } from '../../_components/pager';

export const metadata: Metadata = { title: 'Customers' };

const one = (value: string | string[] | undefined) => (typeof value === 'string' ? value.trim() : '');

export default async function CustomersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { programId } = await requireAccess();
  const params = await searchParams;
  const search = one(params.q);
  const cursor = readCursor(one(params.cursor)) ?? undefined;
  const { customers, nextCursor } = await listCustomers(programId, { search: search || undefined, cursor });
  return (
    <>
      <PageHeader title="Customers" description="Everyone whose sign-up is settled as a lead, newest first." />
      <Form action="/dashboard/customers" aria-label="Find a customer" className="mb-4 flex items-end gap-3">
        <TextField id="q" name="q" label="Customer ID or e-mail" defaultValue={search} className="w-full max-w-sm" />
        <Button type="submit">Find</Button>
      </Form>
      {customers.length > 0 ? (
        <CustomerTable customers={customers} now={new Date()} />
      ) : search ? (
        <Empty title="Nobody found">The ID or the e-mail has to match exactly.</Empty>
      ) : (
        <Empty title="No customers yet">A visitor becomes one when the server reports the sign-up.</Empty>
      )}
      <div className="mt-4">
        <Pager
          path="/dashboard/customers"
          query={new URLSearchParams(search ? { q: search } : {}).toString()}
          isFirst={!cursor}
          nextCursor={nextCursor}
        />
      </div>
    </>
  );
}

function CustomerTable({ customers, now }: { customers: Customer[]; now: Date }) {
  return (
    <Table caption="Customers, newest first" isCaptionHidden>
      <TableHead>
        <HeaderCell>Customer</HeaderCell>
        <HeaderCell>Partner</HeaderCell>
        <HeaderCell>Lead settled</HeaderCell>
        <HeaderCell isNumeric>Sales</HeaderCell>
        <HeaderCell isNumeric>Paid, less refunds</HeaderCell>
      </TableHead>
      <tbody>
        {customers.map((customer) => (
          <TableRow key={customer.leadId}>
            <Cell isWide className="min-w-52">
              <TextLink href={`/dashboard/customers/${customer.leadId}`}>
                <Code>{customer.customerKey}</Code>
              </TextLink>{' '}
              {customer.isTest && <Badge>Test</Badge>}
              {customer.email && <span className="wrap-anywhere block text-muted-foreground">{customer.email}</span>}
            </Cell>
            <Cell>{customer.partnerCode && <Code>{customer.partnerCode}</Code>}</Cell>
            <Cell label="Settled">
              <Time value={customer.settledAt} now={now} />
            </Cell>
            <Cell isNumeric label="Sales">
              {customer.sales}
            </Cell>
            <Cell isNumeric>
              {customer.amounts.map(({ amount, currency }) => (
                <Money key={currency} amount={amount} currency={currency} className="block" />
              ))}
            </Cell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
