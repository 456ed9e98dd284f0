import type { Report } from './report';

/** What came of one attempt to deliver a report: the service's answer, or why there was none. */
export type Answer =
  | { status: number; code?: string; provisional?: boolean; retryAfterSeconds?: number }
  | { status: null; reason: string };

export type Verdict =
  | { state: 'done' | 'skipped' | 'dead'; reason: string }
  | { state: 'pending'; reason: string; pace: 'normal' | 'slow' }
  | { state: 'pending'; reason: string; afterSeconds: number };

/** The table of docs/decisions/0061: which answers end a report, and which ones keep it for another attempt. */
export function decideDelivery(report: Report, answer: Answer): Verdict {
  if (answer.status === null) return { state: 'pending', pace: 'normal', reason: answer.reason };
  const { status } = answer;
  if (answer.provisional) return { state: 'pending', pace: 'slow', reason: 'provisional: the API key did not arrive' };
  if (status >= 200 && status < 300) return { state: 'done', reason: 'recorded' };
  if (status === 409) return { state: 'done', reason: 'already recorded' };
  if (status === 400) return decideRefusal(report, answer.code);
  if (status === 404 && report.kind === 'erasure') return { state: 'skipped', reason: 'nothing to erase' };
  if (status === 429) return { state: 'pending', afterSeconds: answer.retryAfterSeconds ?? 60, reason: 'too many' };
  if (status === 408 || status >= 500) return { state: 'pending', pace: 'normal', reason: 'the service failed' };
  if (status === 413 || status === 415) return { state: 'dead', reason: 'the service cannot read the report' };
  // 401, 403, 404 and the unforeseen: a wrong key or address, which a person has to put right. Nothing is lost meanwhile.
  return { state: 'pending', pace: 'slow', reason: 'refused: check SVC_API_KEY and NEXT_PUBLIC_SVC_BASE_URL' };
}

// §7: the 400 of a visitor whom no partner referred is expected, and no error.
function decideRefusal(report: Report, code: string | undefined): Verdict {
  const isUnreferredLead = report.kind === 'lead' && report.clickId === undefined;
  const isUnreferredSale = report.kind === 'sale' && code === 'unknown_customer';
  if (isUnreferredLead || isUnreferredSale) return { state: 'skipped', reason: 'not referred by a partner' };
  return { state: 'dead', reason: code ?? 'the service refused the report' };
}
