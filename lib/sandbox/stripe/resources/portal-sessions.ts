import 'server-only';
import { z } from 'zod';
import { appUrl } from '../../env';
import { newId } from '../api/new-id';
import { expand, text } from '../api/parameters';
import { type Route, route } from '../api/route';

export const portalSessionRoutes: Route[] = [
  route('POST /v1/billing_portal/sessions', {
    params: z.strictObject({ customer: text, return_url: text.optional(), locale: text.optional(), expand }),
    handle: async (store, { customer, return_url }) => {
      await store.enter(customer, { param: 'customer' });
      const id = newId('bps');
      return store.insert({
        id,
        object: 'billing_portal.session',
        configuration: 'bpc_sandbox',
        created: store.now,
        customer,
        customer_account: null,
        flow: null,
        livemode: false,
        locale: null,
        on_behalf_of: null,
        return_url: return_url ?? null,
        url: `${appUrl()}/sandbox/stripe/portal/${id}`,
      });
    },
  }),
];
