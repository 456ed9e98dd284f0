import { Badge } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { Code } from '@/components/ui/code';
import { Empty } from '@/components/ui/empty';
import { Id } from '@/components/ui/id';
import { Money } from '@/components/ui/money';
import { PageHeader } from '@/components/ui/page-header';
import { formatCount } from '@/components/ui/stat';
import { Cell, HeaderCell, Table, TableHead, TableRow } from '@/components/ui/table';
import { Time } from '@/components/ui/time';
import type { Customer, CustomerPage } from '@/lib/service/dashboard/customer-queries';
import { CursorPager } from './cursor-pager';
import { CustomerName } from './customer-name';
import { FilterStatus } from './filter-form';
import { SearchEnd, SearchForm } from './search-form';

type CustomerListProps = { page: CustomerPage; search: string; isFirst: boolean; now: Date };

/** The customers page: a search, and a page of customers. */
export function CustomerList({ page: { customers, nextCursor, isPartial }, search, isFirst, now }: CustomerListProps) {
  return (
    <>
      <PageHeader title="Customers" description="Everyone with a settled lead." />
      <SearchForm path="/dashboard/customers" noun="customer" label="Email at sign-up or customer ID" search={search} />
      <FilterStatus
        applied={`${search} ${nextCursor}`}
        noun="customer"
        count={customers.length}
        hasMore={isPartial || nextCursor !== null}
      />
      {customers.length > 0 ? (
        <Card>
          <CustomerTable customers={customers} now={now} />
        </Card>
      ) : search ? (
        <Empty title="No customers found">
          No customer ID or email address starts with <Code>{search}</Code>. Only referred customers are listed, and
          some have no email address.
        </Empty>
      ) : (
        <Empty title="No customers yet">A referred visitor becomes a customer when their lead is settled.</Empty>
      )}
      <SearchEnd noun="customer" count={customers.length} isPartial={isPartial} />
      <div className="mt-4">
        <CursorPager path="/dashboard/customers" query="" isFirst={isFirst} nextCursor={nextCursor} />
      </div>
    </>
  );
}

function CustomerTable({ customers, now }: { customers: Customer[]; now: Date }) {
  return (
    <Table caption="Customers">
      <TableHead>
        <HeaderCell>Customer</HeaderCell>
        <HeaderCell>Partner</HeaderCell>
        <HeaderCell isNumeric>Payments</HeaderCell>
        <HeaderCell isNumeric>Net spend</HeaderCell>
        <HeaderCell isNumeric>Lead settled</HeaderCell>
      </TableHead>
      <tbody>
        {customers.map((customer) => (
          <TableRow key={customer.leadId} id={customer.leadId}>
            <Cell isRowHeader isWide className="max-w-72">
              <span className="flex min-w-0 flex-wrap items-start gap-x-2">
                <CustomerName {...customer} /> {customer.isTest && <Badge>Test</Badge>}
              </span>
            </Cell>
            <Cell className="max-w-40">{customer.partnerCode ? <Id>{customer.partnerCode}</Id> : '–'}</Cell>
            <Cell isNumeric label="Payments">
              {formatCount(customer.sales)}
            </Cell>
            <Cell isNumeric>
              {customer.amounts.length === 0 && '–'}
              {customer.amounts.map(({ amount, currency }) => (
                <Money key={currency} amount={amount} currency={currency} className="block" />
              ))}
            </Cell>
            <Cell isNumeric label="Lead settled" className="whitespace-nowrap text-muted-foreground">
              <Time value={customer.settledAt} now={now} />
            </Cell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
