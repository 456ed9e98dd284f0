// What the control room shows of both providers, as plain values.
import 'server-only';
import { listUsers } from '../clerk/queries/users';
import { secondsToNextChange } from '../clock/advance-clock';
import { readClock } from '../clock/clock';
import { readAccount } from '../stripe/account';

const NEWEST = 10;
const ATTRIBUTION_KEYS = ['program_id', 'svc_click_id', 'svc_customer_key'];

export type ShownUser = { id: string; email: string | null; clickId: string | null; createdAt: Date };

export type ShownCharge = {
  id: string;
  amount: number;
  refunded: number;
  currency: string;
  status: string;
  customerEmail: string | null;
  createdAt: Date;
};

export type ShownSubscription = {
  id: string;
  customerId: string;
  customerEmail: string | null;
  status: string;
  /** Which of the three attribution keys its metadata has. */
  keys: string[];
  /** When something happens to it by itself next, on the customer's clock: a renewal, a retry, its end. */
  nextChangeAt: Date | null;
};

const NOBODY = { ids: [], addresses: [], query: null, createdAfter: null, createdBefore: null };

/** The newest users; those of `customer`, an e-mail address, where it is given. */
export async function readUsers(customer: string): Promise<ShownUser[]> {
  const users = await listUsers(
    { ...NOBODY, addresses: customer ? [customer] : [] },
    { limit: NEWEST, offset: 0, orderBy: 'createdAt', direction: 'desc' },
  );
  return users.map(({ id, emails, primaryEmailId, unsafeMetadata, createdAt }) => ({
    id,
    email: (emails.find((email) => email.id === primaryEmailId) ?? emails[0])?.address ?? null,
    clickId: typeof unsafeMetadata.svc_click_id === 'string' ? unsafeMetadata.svc_click_id : null,
    createdAt,
  }));
}

/** What Stripe's clock shows, the newest charges and subscriptions; of `customer`, an e-mail address, where it is given. */
export async function readPayments(
  customer: string,
): Promise<{ charges: ShownCharge[]; subscriptions: ShownSubscription[]; now: Date }> {
  const { charges, subscriptions, emails, subject } = await readAccount(async (store) => {
    const customers = await store.all('customer', customer ? { email: customer } : {});
    const where = customer ? { customer: customers.map(({ id }) => id) } : {};
    const [newest, running] = [
      await store.page('charge', { where, limit: NEWEST }),
      await store.page('subscription', { where, limit: NEWEST }),
    ];
    return {
      charges: newest.data,
      subscriptions: running.data,
      subject: customer ? customers[0]?.id : undefined,
      emails: new Map(customers.map(({ id, email }) => [id, email ?? null])),
    };
  });
  const emailOf = (customer: unknown) => (typeof customer === 'string' ? (emails.get(customer) ?? null) : null);
  return {
    now: new Date((await readClock(subject)) * 1000),
    charges: charges.map((charge) => ({
      id: charge.id,
      amount: charge.amount,
      refunded: charge.amount_refunded,
      currency: charge.currency,
      status: charge.status,
      customerEmail: emailOf(charge.customer),
      createdAt: new Date(charge.created * 1000),
    })),
    subscriptions: await Promise.all(
      subscriptions.map(async (subscription) => {
        const customerId = String(subscription.customer);
        const seconds = await secondsToNextChange(customerId);
        return {
          id: subscription.id,
          customerId,
          customerEmail: emailOf(subscription.customer),
          status: subscription.status,
          keys: ATTRIBUTION_KEYS.filter((key) => subscription.metadata[key]),
          nextChangeAt: seconds === null ? null : new Date(((await readClock(customerId)) + seconds) * 1000),
        };
      }),
    ),
  };
}
