import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideRefundShare } from './refund.ts';

test('a refund of an untaxed payment lowers its sale by as much', () => {
  expect(decideRefundShare(1900, { chargedCents: 1900, previousRefundedCents: 0, refundedCents: 500 })).toBe(500);
});

test('a full refund of a taxed payment lowers its sale by all of it', () => {
  expect(decideRefundShare(1000, { chargedCents: 1190, previousRefundedCents: 0, refundedCents: 1190 })).toBe(1000);
});

test('a refund beyond the charge lowers its sale by no more than all of it', () => {
  expect(decideRefundShare(1000, { chargedCents: 1000, previousRefundedCents: 0, refundedCents: 1500 })).toBe(1000);
});

test('a charge of nothing lowers nothing', () => {
  expect(decideRefundShare(1000, { chargedCents: 0, previousRefundedCents: 0, refundedCents: 100 })).toBe(0);
});

test('the refunds of a charge add up to its sale, however they are cut', () => {
  const cents = fc.integer({ min: 1, max: 99_999_999 });
  fc.assert(
    fc.property(
      cents,
      cents,
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }),
      (sale, charged, cuts) => {
        const steps = [0, ...cuts.map((cut) => Math.floor(cut * charged)).sort((a, b) => a - b), charged];
        const shares = steps
          .slice(1)
          .map((refundedCents, i) =>
            decideRefundShare(sale, { chargedCents: charged, previousRefundedCents: steps[i] ?? 0, refundedCents }),
          );
        expect(Math.min(...shares)).toBeGreaterThanOrEqual(0);
        expect(shares.reduce((total, share) => total + share, 0)).toBe(sale);
      },
    ),
  );
});
