// Test clocks: the time of the customers that were created on one stands still until it is advanced.
import { z } from 'zod';
import { createId } from '../../core/ids';
import { runDueUntil } from '../due';
import { invalidRequest } from '../errors';
import { expand, integer, text } from '../parameters';
import { list, type Route, retrieve, route } from '../route';

const PATH = '/test_helpers/test_clocks';
const DAY = 86_400;
const DAYS_KEPT = 30;

export const testClockRoutes: Route[] = [
  route(`POST ${PATH}`, z.strictObject({ frozen_time: integer, name: text.optional(), expand }), (store, given) =>
    store.insert({
      id: createId('clock', 24),
      object: 'test_helpers.test_clock',
      created: store.now,
      deletes_after: store.now + DAYS_KEPT * DAY,
      frozen_time: given.frozen_time,
      livemode: false,
      name: given.name ?? null,
      status: 'ready',
      status_details: {},
    }),
  ),
  list(PATH, 'test_helpers.test_clock', {}),
  retrieve(PATH, 'test_helpers.test_clock'),
  route(`POST ${PATH}/:id/advance`, z.strictObject({ frozen_time: integer, expand }), async (store, given, { id }) => {
    const clock = await store.get('test_helpers.test_clock', id);
    const target = given.frozen_time;
    if (target <= clock.frozen_time) {
      throw invalidRequest('A test clock can only be advanced to a later time.', { param: 'frozen_time' });
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
    // The work is done; the response says what Stripe's says, which does it later.
    return { ...ready, status: 'advancing', status_details: { advancing: { target_frozen_time: target } } };
  }),
  route(`DELETE ${PATH}/:id`, z.strictObject({}), async (store, _params, { id }) => {
    await store.get('test_helpers.test_clock', id);
    for (const customer of await store.all('customer', { test_clock: id })) await store.removeCustomer(customer.id);
    await store.remove(id);
    return { id, object: 'test_helpers.test_clock', deleted: true };
  }),
];
