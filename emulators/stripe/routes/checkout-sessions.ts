import { z } from 'zod';
import { createSession } from '../checkout/create';
import { newSession } from '../checkout/parameters';
import { enterSession, expireSession, listLineItems } from '../checkout/plan';
import { invalidRequest } from '../errors';
import { listParameters, text } from '../parameters';
import { list, onlyExpand, type Route, retrieve, route, update } from '../route';

const PATH = '/checkout/sessions';

export const checkoutSessionRoutes: Route[] = [
  route(`POST ${PATH}`, newSession, createSession),
  list(PATH, 'checkout.session', {
    customer: text.optional(),
    payment_intent: text.optional(),
    subscription: text.optional(),
    status: z.enum(['open', 'complete', 'expired']).optional(),
  }),
  retrieve(PATH, 'checkout.session'),
  update(PATH, 'checkout.session', {}),
  route(`GET ${PATH}/:id/line_items`, z.strictObject(listParameters), (store, page, { id }) =>
    listLineItems(store, id, page),
  ),
  route(`POST ${PATH}/:id/expire`, onlyExpand, async (store, _params, { id }) => {
    const session = await enterSession(store, id);
    if (session.status !== 'open') {
      throw invalidRequest(
        `Only Checkout Sessions with a status in ["open"] can be expired. This one has a status of \`${session.status}\`.`,
      );
    }
    return expireSession(store, session);
  }),
];
