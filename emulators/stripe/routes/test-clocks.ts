// Test clocks: the time of the customers that were created on one stands still until it is advanced.
import { z } from 'zod';
import { addMonths } from '../../core/clock';
import { createId } from '../../core/ids';
import { runDueUntil } from '../due';
import { invalidRequest } from '../errors';
import { build } from '../objects/build';
import { CURRENT_STATUSES } from '../objects/subscriptions';
import { expand, integer, text } from '../parameters';
import { addInterval } from '../pricing/periods';
import { list, type Route, retrieve, route } from '../route';
import type { Store } from '../store';
import type { ApiObject } from '../wire';

const PATH = '/test_helpers/test_clocks';
const DAY = 86_400;
const DAYS_KEPT = 30;

export const testClockRoutes: Route[] = [
  route(`POST ${PATH}`, z.strictObject({ frozen_time: integer(), name: text.optional(), expand }), (store, given) =>
    store.insert(
      build('test_helpers.test_clock', {
        id: createId('clock', 24),
        created: store.now,
        deletes_after: store.now + DAYS_KEPT * DAY,
        frozen_time: given.frozen_time,
        name: given.name,
        status: 'ready',
        status_details: {},
      }),
    ),
  ),
  list(PATH, 'test_helpers.test_clock', {}),
  retrieve(PATH, 'test_helpers.test_clock'),
  route(
    `POST ${PATH}/:id/advance`,
    z.strictObject({ frozen_time: integer(), expand }),
    async (store, given, { id }) => {
      const clock = await store.get('test_helpers.test_clock', id);
      const target = given.frozen_time;
      if (target <= clock.frozen_time) {
        throw invalidRequest('A test clock can only be advanced to a later time.', { param: 'frozen_time' });
      }
      if (target > (await latestTarget(store, clock))) {
        throw invalidRequest(
          'A test clock cannot be advanced by more than two intervals of its shortest subscription, or two years without one.',
          { param: 'frozen_time' },
        );
      }
      const customers = await store.all('customer', { test_clock: id });
      await runDueUntil(
        store,
        target,
        customers.map((customer) => customer.id),
      );
      store.now = target;
      const ready = await store.save({ ...clock, frozen_time: target });
      store.emit('test_helpers.test_clock.ready', ready);
      // The work is done; the response says what Stripe's does, although Stripe works later.
      return { ...ready, status: 'advancing', status_details: { advancing: { target_frozen_time: target } } };
    },
  ),
  route(`DELETE ${PATH}/:id`, z.strictObject({}), async (store, _params, { id }) => {
    await store.get('test_helpers.test_clock', id);
    for (const customer of await store.all('customer', { test_clock: id })) await store.removeCustomer(customer.id);
    await store.remove('test_helpers.test_clock', id);
    return { id, object: 'test_helpers.test_clock', deleted: true };
  }),
];

/** How far a clock can be advanced at once. */
async function latestTarget(
  store: Store,
  { id, frozen_time: now }: ApiObject<'test_helpers.test_clock'>,
): Promise<number> {
  const subscriptions = await store.all('subscription', { test_clock: id, status: CURRENT_STATUSES });
  const cadences = subscriptions.flatMap(({ items }) => items.data.flatMap(({ price }) => price.recurring ?? []));
  if (cadences.length === 0) return addMonths(now, 24);
  return Math.min(
    ...cadences.map((cadence) => addInterval(now, { ...cadence, interval_count: cadence.interval_count * 2 })),
  );
}
