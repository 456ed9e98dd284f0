import type { LeadAuthPolicy } from './program';

/** What is known when a lead call or a payment arrives with a customer and a click. */
export type LeadFacts = {
  /** `server`: with the API key. `browser`: the tracker, without one. `payment`: the connected payment account (path A). */
  caller: 'server' | 'browser' | 'payment';
  policy: LeadAuthPolicy;
  /** `valid`: a click of this program, within its window. Everything else that was sent is `unknown`. */
  click: 'none' | 'unknown' | 'valid';
  /** Whether a browser signup created a provisional lead for this click, and whether it is still waiting. */
  provisional: 'none' | 'waiting' | 'settled';
  /** Whether this customer has a settled lead: the "known customer ID" of §3. */
  isCustomerKnown: boolean;
  /** A test lead proves the wiring and needs no click (docs/decisions/0010). */
  test: boolean;
};

export type LeadDecision =
  | { outcome: 'settle' }
  | { outcome: 'provisional'; record: boolean }
  | { outcome: 'unchanged' }
  | { outcome: 'reject'; code: 'not_referred' | 'unknown_click' | 'lead_already_settled' };

/**
 * §3, the whole table, and docs/decisions/0006: what a call does to a lead.
 * @returns `settle` if the lead is settled now; `unchanged` if it was settled before
 */
export function decideLead(facts: LeadFacts): LeadDecision {
  switch (facts.caller) {
    case 'server':
      return decideServerLead(facts);
    case 'browser':
      return facts.policy === 'browser_allowed' ? decideOpenBrowserLead(facts) : decideVerifiedBrowserLead(facts);
    case 'payment':
      return decidePaymentLead(facts);
    default:
      return facts.caller satisfies never;
  }
}

// §3: "Valid click or known customer ID". A repeat changes nothing: the first attribution stays.
function decideServerLead(facts: LeadFacts): LeadDecision {
  if (facts.isCustomerKnown) return { outcome: 'unchanged' };
  return facts.click === 'valid' || facts.test ? { outcome: 'settle' } : rejectClick(facts);
}

// §3: 200 with `provisional: true`, whether the lead is new, waiting or settled: the unverified caller
// learns nothing about the customer. The customer's ID is not used, because it is not saved.
function decideVerifiedBrowserLead(facts: LeadFacts): LeadDecision {
  if (facts.provisional !== 'none') return { outcome: 'provisional', record: false };
  return facts.click === 'valid' ? { outcome: 'provisional', record: true } : rejectClick(facts);
}

// §3: "Repeat browser signup, program is browser_allowed: rejected with 400."
function decideOpenBrowserLead(facts: LeadFacts): LeadDecision {
  if (facts.isCustomerKnown) return { outcome: 'reject', code: 'lead_already_settled' };
  return facts.click === 'valid' ? { outcome: 'settle' } : rejectClick(facts);
}

// §3 sets no window for a provisional lead that a payment settles: its signup was in time.
function decidePaymentLead(facts: LeadFacts): LeadDecision {
  if (facts.isCustomerKnown) return { outcome: 'unchanged' };
  return facts.click === 'valid' || facts.provisional === 'waiting' ? { outcome: 'settle' } : rejectClick(facts);
}

// §7: "Lead without a click ID and with a customer ID the service does not know."
function rejectClick({ click }: LeadFacts): LeadDecision {
  return { outcome: 'reject', code: click === 'none' ? 'not_referred' : 'unknown_click' };
}
