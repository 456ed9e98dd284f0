import { findPlan } from '@/lib/integration/plans';
import type { Entitlement } from '@/lib/integration/stripe/entitlement';
import { isPaidFor, listTransfers } from '@/lib/shop/transfers';
import { TransferCard } from './transfer-card';

type OpenTransfersProps = { userId: string; entitlement: Entitlement | null };

/** The plans that were ordered by bank transfer and are not paid yet, without the one that was paid in another way since. */
export async function OpenTransfers({ userId, entitlement }: OpenTransfersProps) {
  const transfers = await listTransfers(userId);
  const held = entitlement && findPlan(entitlement.plan);
  const paid = held && isPaidFor(held, [entitlement]) ? held.name : null;
  const open = transfers.filter(({ paidAt, plan }) => paidAt === null && plan !== paid);
  return open.map((transfer) => <TransferCard key={transfer.invoiceId} transfer={transfer} />);
}
