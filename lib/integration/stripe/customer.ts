// The user's Stripe customer: the same one at every checkout, so that one user has one billing history.
// Change in your app: where the ID is stored, such as a column of your users table.
import 'server-only';
import Stripe from 'stripe';
import { database } from '@/lib/integration/database';
import { log } from '@/lib/integration/log';
import { isMissing, sharedWrite, stripeClient } from './client';

/** What a Stripe customer is created from. */
export type Buyer = { userId: string; email: string | undefined };

/**
 * The user's Stripe customer ID. Creates a customer if there is none, or if Stripe does not know the stored one.
 * @throws if Stripe or the database cannot be reached, as the other functions here do
 */
export async function ensureCustomer({ userId, email }: Buyer): Promise<string> {
  const { stored, found } = await retrieveStored(userId);
  if (found && !found.deleted) return found.id;
  const stripeCustomerId = await createCustomer({ userId, email }, stored);
  if (stored) {
    const where = { stripeCustomerId: stored };
    const data = { stripeCustomerId };
    await database().$transaction([
      database().shopCustomer.updateMany({ where: { userId, ...where }, data }),
      // Purchases outlive a deleted customer. Those of an unknown one belong to another mode or account.
      ...(found ? [database().shopPurchase.updateMany({ where, data })] : []),
    ]);
  } else {
    await keepCustomer(userId, stripeCustomerId);
  }
  return (await readCustomer(userId)) ?? stripeCustomerId; // the one that was stored first
}

/** @param replaced the stored customer that Stripe does not know or has deleted */
async function createCustomer({ userId, email }: Buyer, replaced: string | null): Promise<string> {
  const params = { ...(email && { email }), metadata: { user_id: userId } };
  try {
    // Parallel first checkouts send the same key, so Stripe creates one customer for all of them.
    return (await stripeClient().customers.create(params, sharedWrite('customer', params, replaced))).id;
  } catch (error) {
    if (!email) throw error;
    acceptRefusedEmail(error, userId);
    return createCustomer({ userId, email: undefined }, replaced); // Checkout asks for the address
  }
}

/**
 * Changes the email address of the user's Stripe customer, unless it is the same. Stripe sends receipts there; the billing portal
 * cannot change it.
 * @throws if Stripe or the database cannot be reached; an address that Stripe refuses is only logged
 */
export async function updateEmail({ userId, email }: Buyer): Promise<void> {
  const found = email && (await retrieveStored(userId)).found;
  if (!found || found.deleted || found.email === email) return;
  const { customers } = stripeClient();
  await customers.update(found.id, { email }).catch((error: unknown) => acceptRefusedEmail(error, userId));
}

/**
 * Stripe refuses some addresses that others accept. No retry would help, and no purchase may depend on it.
 * @throws any other error
 */
function acceptRefusedEmail(error: unknown, userId: string): void {
  const isRefused = error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'email_invalid';
  if (!isRefused) throw error;
  log.warn("Stripe refuses a user's email address", { customer: userId });
}

/** The user's Stripe customer ID, or `null` if there is none, or Stripe does not know it or has deleted it. */
export async function findCustomer(userId: string): Promise<string | null> {
  const { found } = await retrieveStored(userId);
  return found && !found.deleted ? found.id : null;
}

/** The stored ID, without asking Stripe. */
export async function readCustomer(userId: string): Promise<string | null> {
  const row = await database().shopCustomer.findUnique({ where: { userId } });
  return row?.stripeCustomerId ?? null;
}

/** Stores the user's Stripe customer ID, unless the user has one or the customer is another user's. */
export async function keepCustomer(userId: string, stripeCustomerId: string): Promise<void> {
  await database().shopCustomer.createMany({ data: { userId, stripeCustomerId }, skipDuplicates: true });
}

/** Whether the customer is stored for any user. */
export const isKept = async (stripeCustomerId: string): Promise<boolean> =>
  (await database().shopCustomer.count({ where: { stripeCustomerId } })) > 0;

/** Stores another Stripe customer ID for a user who has one. */
export async function replaceCustomer(userId: string, stripeCustomerId: string): Promise<void> {
  await database().shopCustomer.update({ where: { userId }, data: { stripeCustomerId } });
}

type Stored = { stored: string | null; found: Stripe.Customer | Stripe.DeletedCustomer | null };

/** The stored ID, and the customer that Stripe has for it: one that was removed in the dashboard is `deleted`. */
async function retrieveStored(userId: string): Promise<Stored> {
  const stored = await readCustomer(userId);
  if (!stored) return { stored, found: null };
  try {
    return { stored, found: await stripeClient().customers.retrieve(stored) };
  } catch (error) {
    if (!isMissing(error)) throw error;
    log.error('Stripe does not know a stored customer', { customer: userId, stripe_customer: stored });
    return { stored, found: null };
  }
}
