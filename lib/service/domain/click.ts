export type AffiliateUrl = { ok: true; code: string } | { ok: false; code: 'invalid_url' | 'missing_aff' };

/** §1: the partner code is the page URL's `aff` query parameter. */
export function readPartnerCode(affiliateUrl: string): AffiliateUrl {
  if (!URL.canParse(affiliateUrl)) return { ok: false, code: 'invalid_url' };
  const url = new URL(affiliateUrl);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { ok: false, code: 'invalid_url' };
  const code = url.searchParams.get('aff')?.trim();
  return code ? { ok: true, code } : { ok: false, code: 'missing_aff' };
}

export type ClickFacts = {
  programExists: boolean;
  programPaused: boolean;
  /** null: the program has no partner with this code. */
  partner: { active: boolean } | null;
};

export type ClickDecision =
  | { outcome: 'record' }
  | { outcome: 'inactive' }
  | { outcome: 'reject'; code: 'unknown_program' | 'unknown_partner' };

/** Whether a visit to a partner's link makes a click (docs/decisions/0006). */
export function decideClick({ programExists, programPaused, partner }: ClickFacts): ClickDecision {
  if (!programExists) return { outcome: 'reject', code: 'unknown_program' };
  if (!partner) return { outcome: 'reject', code: 'unknown_partner' };
  return partner.active && !programPaused ? { outcome: 'record' } : { outcome: 'inactive' };
}
