// An invoice's page, to which `hosted_invoice_url` leads. It shows the invoice; a payment goes through the API or the portal.
import type { Emulator } from '../../core/emulator';
import { Card, Money, Table, Time } from '../../core/ui';
import { readAccount } from '../account';
import type { CheckoutView } from '../checkout/page';
import type { ApiObject } from '../wire';
import { HostedPage } from './checkout';
import { AmountRow, TaxRows } from './order-summary';
import { StatusBadge } from './status-badge';

type Invoice = ApiObject<'invoice'>;
type InvoiceView = { invoice: Invoice; taxes: CheckoutView['taxes'] };

/** What the page shows of an invoice, or null if there is no such invoice. */
export function showInvoice(emulator: Emulator, id: string): Promise<InvoiceView | null> {
  return readAccount(emulator, async (store) => {
    const invoice = await store.find('invoice', id);
    if (!invoice) return null;
    const taxes: InvoiceView['taxes'] = [];
    for (const { amount, tax_behavior: behavior, tax_rate_details: details } of invoice.total_taxes ?? []) {
      const { display_name: name, percentage } = await store.get('tax_rate', details?.tax_rate ?? '');
      taxes.push({ amount, label: `${name} (${percentage}%)`, isIncluded: behavior === 'inclusive' });
    }
    return { invoice, taxes };
  });
}

type InvoiceProps = { view: InvoiceView; appName: string; appUrl: string };

export const InvoicePage = ({ view: { invoice, taxes }, appName, appUrl }: InvoiceProps) => (
  <HostedPage title="Invoice">
    <div>
      <p>
        <a href={appUrl} class="back">
          Return to {appName}
        </a>
      </p>
      <h1>Your invoice from {appName}</h1>
      <p class="muted">{invoice.customer_email}</p>
    </div>
    <Card
      id="invoice"
      title={`Invoice ${invoice.number}`}
      description={<Time value={new Date(invoice.created * 1000)} />}
      aside={<StatusBadge status={invoice.status ?? 'open'} />}
    >
      <Table
        caption="What is invoiced"
        columns={['Description', 'Quantity', 'Amount']}
        numeric={['Quantity', 'Amount']}
      >
        {invoice.lines.data.map(({ description, quantity, amount, currency }) => (
          <tr>
            <td>{description}</td>
            <td class="numeric">{quantity}</td>
            <td class="numeric">
              <Money amount={amount} currency={currency} />
            </td>
          </tr>
        ))}
      </Table>
      <Totals invoice={invoice} taxes={taxes} />
    </Card>
  </HostedPage>
);

function Totals({ invoice, taxes }: InvoiceView) {
  const { currency, subtotal, total, amount_due: due, amount_paid: paid, status } = invoice;
  const discount = (invoice.total_discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0);
  const balance = (invoice.ending_balance ?? 0) - invoice.starting_balance; // above 0: this much of a credit was used
  const credited = invoice.pre_payment_credit_notes_amount;
  const isPaid = status === 'paid';
  return (
    <dl class="totals">
      <AmountRow label="Subtotal" amount={subtotal} currency={currency} />
      {discount > 0 && <AmountRow label="Discount" amount={-discount} currency={currency} />}
      <TaxRows taxes={taxes} currency={currency} />
      <AmountRow label="Total" amount={total} currency={currency} />
      {balance !== 0 && <AmountRow label="Applied balance" amount={-balance} currency={currency} />}
      {credited > 0 && <AmountRow label="Credit notes" amount={-credited} currency={currency} />}
      <AmountRow
        label={isPaid ? 'Amount paid' : 'Amount due'}
        amount={isPaid ? paid : due}
        currency={currency}
        isTotal
      />
    </dl>
  );
}
