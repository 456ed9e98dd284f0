// Disputes: a customer's bank takes a payment back until the dispute is decided.
import { invalidRequest } from '../errors';
import { buildDispute } from '../objects/payments';
import type { Store } from '../store';
import type { ApiObject } from '../wire';

type Dispute = ApiObject<'dispute'>;

/** Texts that decide a dispute in test mode. docs.stripe.com/testing#evidence */
const WINNING = 'winning_evidence';
const LOSING = 'losing_evidence';

export async function openDispute(store: Store, charge: ApiObject<'charge'>): Promise<Dispute> {
  const dispute = await store.insert(buildDispute(charge, store.now));
  charge.disputed = true;
  await store.save(charge);
  store.emit('charge.dispute.created', dispute);
  store.emit('charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/** The dispute, in the time of the customer who paid. */
export async function enterDispute(store: Store, id: string): Promise<Dispute> {
  const dispute = await store.get('dispute', id);
  const charge = await store.get('charge', dispute.charge);
  await store.enterOwner(charge.customer);
  store.enterPayer(charge);
  return dispute;
}

type DisputeUpdate = Pick<Dispute, 'metadata'> & { evidence: Partial<Dispute['evidence']>; isSubmitted: boolean };

/** Stores the seller's evidence. Once submitted, the texts above decide the dispute; other evidence leaves it under review. */
export async function updateDispute(
  store: Store,
  dispute: Dispute,
  { metadata, evidence, isSubmitted }: DisputeUpdate,
): Promise<Dispute> {
  const hasEvidence = Object.keys(evidence).length > 0;
  if ((hasEvidence || isSubmitted) && dispute.status !== 'needs_response') {
    throw invalidRequest(`This dispute is already ${dispute.status === 'under_review' ? 'under review' : 'closed'}.`);
  }
  await store.update('charge.dispute.updated', dispute, () => {
    dispute.metadata = metadata;
    Object.assign(dispute.evidence, evidence);
    dispute.evidence_details.has_evidence ||= hasEvidence;
    if (!isSubmitted) return;
    dispute.evidence_details.submission_count += 1;
    dispute.evidence_details.submission_method = 'manual';
    dispute.status = 'under_review';
  });
  if (!isSubmitted) return dispute;
  const { uncategorized_text: text } = dispute.evidence;
  if (text === WINNING) return closeDispute(store, dispute, 'won');
  return text === LOSING ? closeDispute(store, dispute, 'lost') : dispute;
}

export const isDecided = (status: string): boolean => status === 'won' || status === 'lost';

export async function closeDispute(store: Store, dispute: Dispute, status: 'won' | 'lost'): Promise<Dispute> {
  if (isDecided(dispute.status)) throw invalidRequest('This dispute is already closed.');
  dispute.status = status;
  await store.save(dispute);
  store.emit('charge.dispute.closed', dispute);
  if (status === 'won') store.emit('charge.dispute.funds_reinstated', dispute);
  return dispute;
}
