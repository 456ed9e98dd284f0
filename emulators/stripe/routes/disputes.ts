import { z } from 'zod';
import { closeDispute, enterDispute, updateDispute } from '../billing/disputes';
import { defined, expand, flag, mergeMetadata, metadata, text } from '../parameters';
import { list, onlyExpand, type Route, retrieve, route } from '../route';

const evidence = z.strictObject({
  customer_name: text.optional(),
  customer_email_address: text.optional(),
  product_description: text.optional(),
  refund_policy_disclosure: text.optional(),
  uncategorized_text: text.optional(),
});

export const disputeRoutes: Route[] = [
  list('/disputes', 'dispute', { charge: text.optional(), payment_intent: text.optional() }),
  retrieve('/disputes', 'dispute'),
  route(
    'POST /disputes/:id',
    z.strictObject({
      evidence: evidence.optional(),
      submit: flag.optional(),
      metadata: metadata.optional(),
      expand,
    }),
    async (store, given, { id }) => {
      const dispute = await enterDispute(store, id);
      return updateDispute(store, dispute, {
        metadata: mergeMetadata(dispute.metadata, given.metadata),
        evidence: defined(given.evidence ?? {}), // what was staged may be submitted alone
        isSubmitted: given.submit ?? given.evidence !== undefined,
      });
    },
  ),
  route('POST /disputes/:id/close', onlyExpand, async (store, _params, { id }) =>
    closeDispute(store, await enterDispute(store, id), 'lost'),
  ),
];
