import 'server-only';
import { z } from 'zod';
import { deliverNow } from '../../deliveries/drain-deliveries';
import { appUrl } from '../../env';
import { changeAccount } from '../account';
import { StripeFault } from '../api/stripe-fault';
import { cancelSubscription } from '../billing/cancel-subscription';
import { updateSubscription } from '../billing/update-subscription';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import type { PortalState } from './portal-state';
import { replaceCard } from './replace-card';

const WAIT_FOR_WEBHOOKS_MS = 5_000;

const action = z.discriminatedUnion('action', [
  z.object({ action: z.enum(['cancel_at_period_end', 'cancel_now', 'resume']), subscription: z.string() }),
  z.object({ action: z.literal('change_plan'), subscription: z.string(), price: z.string() }),
  z.looseObject({ action: z.literal('replace_card'), subscription: z.string() }),
]);

type Action = z.output<typeof action>;

/**
 * Does what the customer asked for on the portal page and says where to go: to the page again, which tells what came of it.
 * The shop hears of it by webhook, first.
 */
export async function actInPortal(sessionId: string, fields: Record<string, unknown>): Promise<string> {
  const parsed = action.safeParse(fields);
  const events = await changeAccount(async (store) => {
    const { customer } = await store.get('billing_portal.session', sessionId);
    await store.enter(customer);
    const session = await store.lock('billing_portal.session', sessionId);
    const notice = parsed.success
      ? await perform(store, session.customer, parsed.data)
      : ({ tone: 'danger', message: 'The portal does not know what you asked for.' } as const);
    await store.save(session, { internal: { notice } satisfies PortalState });
    return store.emitted.map(({ event }) => event.id);
  });
  await deliverNow(events, { timeoutMs: WAIT_FOR_WEBHOOKS_MS });
  return `${appUrl()}/sandbox/stripe/portal/${sessionId}`;
}

async function perform(store: Store, customer: string, asked: Action): Promise<PortalState['notice']> {
  const subscription = await store.find('subscription', asked.subscription);
  if (!subscription || subscription.customer !== customer || subscription.status === 'canceled') {
    return { tone: 'danger', message: 'This subscription has ended.' };
  }
  try {
    return await performOn(store, subscription, asked);
  } catch (error) {
    if (error instanceof StripeFault) return { tone: 'danger', message: error.message };
    throw error;
  }
}

async function performOn(
  store: Store,
  subscription: ApiObject<'subscription'>,
  asked: Action,
): Promise<PortalState['notice']> {
  switch (asked.action) {
    case 'cancel_now':
      await cancelSubscription(store, subscription);
      return { tone: 'success', message: 'Your subscription has ended.' };
    case 'cancel_at_period_end':
      await updateSubscription(store, subscription, { cancel_at_period_end: true });
      return { tone: 'success', message: 'Your subscription ends when its period does.' };
    case 'resume':
      await updateSubscription(store, subscription, { cancel_at_period_end: false });
      return { tone: 'success', message: 'Your subscription goes on.' };
    case 'change_plan': {
      const item = subscription.items.data[0]?.id ?? '';
      const items = [{ id: item, price: asked.price }];
      await updateSubscription(store, subscription, { items, proration_behavior: 'always_invoice' });
      return { tone: 'success', message: 'Your plan has changed.' };
    }
    case 'replace_card':
      return replaceCard(store, subscription, asked);
    default:
      return asked satisfies never;
  }
}
