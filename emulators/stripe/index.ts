// The Stripe emulator, as the server, the hosted pages and the control room use it.
import type { Emulator } from '../core/emulator';
import { changeAccount } from './account';
import { closeDispute, enterDispute } from './billing/disputes';
import { refundCharge } from './billing/refunds';
import type { ApiObject } from './wire';

export { stripeApi } from './api';
export { advanceClock, type ClockChange, TooFarError } from './clock';

/** Refunds a charge, whole or in part (minor units), as Stripe's dashboard can. */
export const refundPayment = (emulator: Emulator, charge: string, amount?: number): Promise<ApiObject<'refund'>> =>
  changeAccount(emulator, async (store) =>
    refundCharge(store, await store.get('charge', charge), { amount, reason: 'requested_by_customer', metadata: {} }),
  );

/** Decides a dispute, as the customer's bank does. */
export const decideDispute = (emulator: Emulator, id: string, status: 'won' | 'lost'): Promise<ApiObject<'dispute'>> =>
  changeAccount(emulator, async (store) => closeDispute(store, await enterDispute(store, id), status));
