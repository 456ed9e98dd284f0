import { findPlan, type Plan } from '@/lib/integration/plans';
import type { Entitlement } from '@/lib/integration/stripe/entitlement';
import { isPaidFor, listTransfers } from '@/lib/shop/transfers';
import { TransferCard } from './transfer-card';

type OpenTransfersProps = { userId: string; held: Entitlement[] };

/** The plans that were ordered by bank transfer and are not paid yet, except those that the customer now has in another way. */
export async function OpenTransfers({ userId, held }: OpenTransfersProps) {
  const transfers = await listTransfers(userId);
  const isPaid = (plan: Plan | null) => plan && isPaidFor(plan, held);
  const open = transfers.filter(({ paidAt, plan }) => paidAt === null && !isPaid(findPlan(plan)));
  return open.map((transfer) => <TransferCard key={transfer.invoiceId} transfer={transfer} />);
}
