// Payment methods: which one may be used for what, and how they are attached and detached. A method belongs to one customer
// at most. An unattached one can be used once, a detached one not at all.
import { ApiError, invalidRequest } from '../errors';
import { buildBankAccount, buildCard } from '../objects/payment-methods';
import type { Store } from '../store';
import {
  type Behavior,
  checkBankAccount,
  checkCard,
  namedCard,
  TEST_ACCOUNT_NUMBER,
  TEST_ROUTING_NUMBER,
} from '../test-cards';
import type { ApiObject } from '../wire';

type Method = ApiObject<'payment_method'>;

/** What the API does not show of a payment method. */
type MethodState = Behavior & { isUsedUp?: boolean };

type Use = {
  /** Who is to use it; null for a payment without a customer. */
  customer: string | null;
  /** For one payment, for a customer who keeps it, or for charges to come, which only an attached one serves. */
  purpose: 'payment' | 'attachment' | 'later charges';
  /** The parameter that names it. */
  param?: string;
};

/** How a payment method behaves. */
export const behaviorOf = (store: Store, { id }: Method): Promise<Behavior> => store.internal<MethodState>(id);

/**
 * The payment method that a parameter names. Stripe's ready-made ones (`pm_card_visa`) become a new one of this account.
 * @throws ApiError if it may not be used for this
 */
export async function resolveMethod(store: Store, id: string, use: Use): Promise<Method> {
  const { param = 'payment_method' } = use;
  const method = (await readyMade(store, id)) ?? (await store.get('payment_method', id, param));
  const refusal = await findRefusal(store, method, { ...use, param });
  if (refusal) throw refusal;
  return method;
}

/** Why a payment method may not be used for this; null if it may. */
export async function findRefusal(store: Store, method: Method, use: Use): Promise<ApiError | null> {
  const { isUsedUp = false } = await store.internal<MethodState>(method.id);
  return refusalOf(method, isUsedUp, { param: 'payment_method', ...use });
}

function refusalOf({ id, customer: owner }: Method, isUsedUp: boolean, use: Required<Use>): ApiError | null {
  const { customer, purpose, param } = use;
  const refuse = (message: string, code?: string) => invalidRequest(message, { param, ...(code && { code }) });
  if (owner && owner === customer) return null;
  if (purpose === 'later charges') {
    const message = `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`;
    return refuse(message, 'resource_missing');
  }
  if (isUsedUp) return refuse(purpose === 'payment' ? NOT_TO_BE_USED : NOT_TO_BE_ATTACHED);
  if (!owner) return null;
  if (purpose === 'attachment') {
    return refuse('The payment method you provided has already been attached to a customer.');
  }
  return customer
    ? refuse(
        `The PaymentMethod ${id} does not belong to the Customer you supplied ${customer}. Please use this PaymentMethod with the Customer that it belongs to instead.`,
      )
    : refuse(
        `The \`payment_method\` parameter supplied ${id} belongs to the Customer ${owner}. Please include the Customer in the \`customer\` parameter on the PaymentIntent.`,
      );
}

const NOT_TO_BE_USED =
  'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.';
const NOT_TO_BE_ATTACHED =
  'This PaymentMethod was previously used without being attached to a Customer or was detached from a Customer, and may not be used again.';

async function readyMade(store: Store, id: string): Promise<Method | null> {
  const number = namedCard(id);
  if (number) return saveCard(store, number);
  if (id !== 'pm_usBankAccount_success') return null;
  const account = { routingNumber: TEST_ROUTING_NUMBER, accountNumber: TEST_ACCOUNT_NUMBER };
  const owner = { customer: null, email: null, name: 'Jenny Rosen' };
  return store.insert(buildBankAccount({ ...account, ...owner }, store.now), { internal: checkBankAccount(account) });
}

const YEARS_UNTIL_EXPIRY = 5;

/** A test card as a payment method that is attached to no customer. */
export function saveCard(store: Store, number: string): Promise<Method> {
  const expYear = new Date(store.now * 1000).getUTCFullYear() + YEARS_UNTIL_EXPIRY;
  const owner = { customer: null, email: null, name: null };
  const card = buildCard({ number, expMonth: 12, expYear, ...owner }, store.now);
  return store.insert(card, { internal: checkCard(number) });
}

/**
 * Attaches the payment method that a request names.
 * @throws if it cannot be attached, or if its card is declined
 */
export async function attachNamed(store: Store, id: string, customer: string): Promise<Method> {
  const method = await resolveMethod(store, id, { customer, purpose: 'attachment' });
  const { failure } = await behaviorOf(store, method);
  if (failure) throw new ApiError(402, { ...failure, type: 'card_error' });
  return attachMethod(store, method, customer);
}

export async function attachMethod(store: Store, method: Method, customer: string): Promise<Method> {
  if (method.customer === customer) return method;
  method.customer = customer;
  await store.save(method);
  store.emit('payment_method.attached', method);
  return method;
}

/** Detaches a method from its customer. It is no longer the default of the customer or of a subscription. */
export async function detachMethod(store: Store, method: Method): Promise<Method> {
  const { id, customer } = method;
  if (!customer) {
    throw invalidRequest('The payment method you provided is not attached to a customer so detachment is impossible.');
  }
  const owner = await store.enter(customer);
  method.customer = null;
  await store.save(method);
  await useUp(store, method);
  store.emit('payment_method.detached', method, { customer });
  if (owner.invoice_settings.default_payment_method === id) {
    await store.update('customer.updated', owner, () => {
      owner.invoice_settings.default_payment_method = null;
    });
  }
  const where = { customer, default_payment_method: id, ended_at: null };
  for (const subscription of await store.all('subscription', where)) {
    subscription.default_payment_method = null;
    await store.save(subscription);
    store.emit('customer.subscription.updated', subscription, { default_payment_method: id });
  }
  return method;
}

/** No further payment may use the method, unless it is attached to a customer. */
export async function useUp(store: Store, method: Method): Promise<void> {
  if (method.customer) return;
  await store.save(method, {
    internal: { ...(await behaviorOf(store, method)), isUsedUp: true } satisfies MethodState,
  });
}
