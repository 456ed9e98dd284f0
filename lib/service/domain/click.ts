import { ID_LIMIT, isOpaqueId } from '../clean-input';

type AffiliateUrl = { ok: true; code: string } | { ok: false; code: 'invalid_url' | 'missing_aff' | 'unknown_partner' };

/**
 * §1: the partner code is the page URL's `aff` query parameter. An invalid ID is not looked up: no partner has it, and
 * PostgreSQL rejects some of them.
 */
export function readPartnerCode(affiliateUrl: string): AffiliateUrl {
  if (!URL.canParse(affiliateUrl)) return { ok: false, code: 'invalid_url' };
  const url = new URL(affiliateUrl);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { ok: false, code: 'invalid_url' };
  const sent = url.searchParams.get('aff') ?? '';
  const code = sent.trim();
  if (!code) return { ok: false, code: 'missing_aff' };
  return isOpaqueId(code) && [...sent].length <= ID_LIMIT ? { ok: true, code } : { ok: false, code: 'unknown_partner' };
}
