import 'server-only';
import { checkCard } from '../billing/cards';
import { retryOpenInvoice } from '../billing/collect-invoice';
import { updateSubscription } from '../billing/update-subscription';
import { parseCardForm } from '../checkout/card-form';
import { emitEvent } from '../emit-event';
import { buildPaymentMethod } from '../objects/payment-method';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import type { PortalState } from './portal-state';

/** A new card for the subscription; what is overdue is charged to it at once. */
export async function replaceCard(
  store: Store,
  subscription: ApiObject<'subscription'>,
  fields: Record<string, unknown>,
): Promise<PortalState['notice']> {
  const { email } = await store.get('customer', subscription.customer);
  const parsed = parseCardForm({ ...fields, email: email ?? '' }, { now: store.now, needsCard: true });
  if ('problem' in parsed) return { tone: 'danger', message: parsed.problem.message, field: parsed.problem.field };
  const { card, name } = parsed.form;
  if (!card) return null;
  const check = checkCard(card.number);
  if (check.outcome === 'fails') return { tone: 'danger', message: check.failure.message, field: 'number' };

  const method = buildPaymentMethod({ ...card, customer: subscription.customer, email, name }, store.now);
  await store.insert(method, { internal: { laterFailure: check.laterFailure } });
  emitEvent(store, 'payment_method.attached', method);
  await updateSubscription(store, subscription, { default_payment_method: method.id });
  await retryOpenInvoice(store, subscription);
  return { tone: 'success', message: `Your card that ends in ${card.number.slice(-4)} is used from now on.` };
}
