export type Proration = { credit: number; charge: number };

/**
 * What a change of price within a period is worth, in minor units: the unused part of the old price back, the same part
 * of the new one due. Each is rounded by itself, as its own line on the invoice.
 */
export function prorate(
  { oldAmount, newAmount }: { oldAmount: number; newAmount: number },
  period: { start: number; end: number },
  now: number,
): Proration {
  const length = period.end - period.start;
  const left = Math.min(Math.max(period.end - now, 0), length);
  const share = length > 0 ? left / length : 0;
  return { credit: Math.round(oldAmount * share), charge: Math.round(newAmount * share) };
}
