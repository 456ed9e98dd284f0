import { Card } from '@/components/ui/card';
import { Money } from '@/components/ui/money';
import type { PortalView } from '@/lib/sandbox/stripe/portal/show-portal';

/** The customer's invoices, newest first. */
export function InvoiceList({ invoices }: Pick<PortalView, 'invoices'>) {
  if (invoices.length === 0) return null;
  return (
    <Card id="invoices" title="Invoices">
      <ul className="grid gap-2">
        {invoices.map((invoice) => (
          <li key={invoice.id} className="flex flex-wrap justify-between gap-x-4">
            <span>
              {new Date(invoice.createdAt).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })}
              <span className="text-muted-foreground"> {invoice.number}</span>
            </span>
            <span>
              <Money amount={invoice.total} currency={invoice.currency} /> {invoice.status}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
