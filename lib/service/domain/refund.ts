export type RefundedCharge = {
  /** What the customer paid, tax included. */
  chargedCents: number;
  /** Cumulative, before and after this refund. */
  previousRefundedCents: number;
  refundedCents: number;
};

/**
 * How much a refund lowers a sale. A sale is less tax, a charge is not, so a refund lowers it by its share: a full
 * refund by all of it. Shares of one charge add up exactly, in whatever order they arrive.
 * @returns minor units, 0 or more
 */
export function decideRefundShare(saleCents: number, charge: RefundedCharge): number {
  return (
    refundedShare(saleCents, charge.refundedCents, charge) -
    refundedShare(saleCents, charge.previousRefundedCents, charge)
  );
}

function refundedShare(saleCents: number, refundedCents: number, { chargedCents }: RefundedCharge): number {
  if (chargedCents <= 0) return 0;
  // BigInt: the product may pass 2^53.
  const share = (BigInt(saleCents) * BigInt(Math.min(refundedCents, chargedCents))) / BigInt(chargedCents);
  return Number(share);
}
