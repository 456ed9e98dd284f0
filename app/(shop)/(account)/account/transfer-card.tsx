import { Card } from '@/components/ui/card';
import { Code } from '@/components/ui/code';
import { DetailsList } from '@/components/ui/details-list';
import { Money } from '@/components/ui/money';
import { findPlan } from '@/lib/integration/plans';
import type { Transfer } from '@/lib/shop/transfers';

type TransferCardProps = { transfer: Pick<Transfer, 'invoiceId' | 'plan' | 'amount' | 'currency'> };

/** How to pay for a plan that was ordered by bank transfer. */
export function TransferCard({ transfer: { invoiceId, plan, amount, currency } }: TransferCardProps) {
  return (
    <Card
      title="Waiting for your bank transfer"
      description="The payment usually arrives the next business day. Your plan starts then, or when the period you have paid for ends."
      className="max-w-xl"
    >
      <DetailsList
        items={[
          ['Plan', findPlan(plan)?.label ?? plan],
          ['Amount', <Money key="amount" amount={amount} currency={currency} />],
          ['Account', 'Larkdesk, NL00 LARK 0123 4567 89'],
          ['Reference', <Code key="reference">{invoiceId}</Code>],
        ]}
      />
    </Card>
  );
}
