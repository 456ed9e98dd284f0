import { findPlan, type Plan } from '@/lib/integration/plans';
import type { Entitlement } from '@/lib/integration/stripe/entitlement';
import { isPaidFor, listTransfers } from '@/lib/shop/transfers';
import { TransferCard } from './transfer-card';

type OpenTransfersProps = { userId: string; entitlement: Entitlement | null };

/** The plans that were ordered by bank transfer and are not paid yet, except those that the customer now has in another way. */
export async function OpenTransfers({ userId, entitlement }: OpenTransfersProps) {
  const transfers = await listTransfers(userId);
  const isPaid = (plan: Plan | null) => plan && entitlement && isPaidFor(plan, [entitlement]);
  const open = transfers.filter(({ paidAt, plan }) => paidAt === null && !isPaid(findPlan(plan)));
  return open.map((transfer) => <TransferCard key={transfer.invoiceId} transfer={transfer} />);
}
