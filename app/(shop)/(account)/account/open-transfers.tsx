import { listTransfers } from '@/lib/shop/transfers';
import { TransferCard } from './transfer-card';

/** The plans that were ordered by bank transfer and are not paid yet. */
export async function OpenTransfers({ userId }: { userId: string }) {
  const transfers = await listTransfers(userId);
  const open = transfers.filter(({ paidAt }) => paidAt === null);
  return open.map((transfer) => <TransferCard key={transfer.invoiceId} transfer={transfer} />);
}
