import 'server-only';
import { changeAccount } from '../stripe/account';
import { refundCharge } from '../stripe/billing/refund-charge';

/** Refunds a charge, whole or in part (minor units), as you would in Stripe's dashboard. */
export async function refundPayment(charge: string, amount?: number): Promise<void> {
  await changeAccount(async (store) =>
    refundCharge(store, await store.get('charge', charge), { amount, reason: 'requested_by_customer', metadata: {} }),
  );
}
