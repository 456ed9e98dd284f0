// The Stripe emulator, as the server, the hosted pages and the control room use it.
import type { Emulator } from '../core/emulator';
import { changeAccount } from './account';
import { refundCharge } from './billing/refunds';
import type { ApiObject } from './wire';

export { stripeApi } from './api';
export { advanceClock, type ClockChange, TooFarError } from './clock';

/** Refunds a charge, whole or in part (minor units), as Stripe's dashboard can. */
export const refundPayment = (emulator: Emulator, charge: string, amount?: number): Promise<ApiObject<'refund'>> =>
  changeAccount(emulator, async (store) =>
    refundCharge(store, await store.get('charge', charge), { amount, reason: 'requested_by_customer', metadata: {} }),
  );
