import 'server-only';
import { database } from '@/prisma/client';
import type { ChargeRefund, PaymentEventEnvelope, PaymentLink } from '../domain/payment-event.ts';
import { applyRefunds } from './apply-refunds.ts';

/** Keeps which invoice a PaymentIntent paid, and applies the refunds that this leads to their sale. */
export async function recordPaymentLink({ paymentIntentId, invoiceId }: PaymentLink, now: Date): Promise<void> {
  await database().paymentLink.createMany({ data: { paymentIntentId, invoiceId }, skipDuplicates: true });
  await applyRefunds(invoiceId, now);
}

/** Keeps a refund, and applies it where its sale is known. Where it is not yet, the sale will find it. */
export async function recordRefund(
  refund: ChargeRefund,
  envelope: PaymentEventEnvelope,
  now: Date,
): Promise<string | null> {
  await database().paymentRefund.createMany({
    data: {
      chargeId: refund.chargeId,
      refundedCents: refund.refundedCents,
      previousRefundedCents: refund.previousRefundedCents,
      chargedCents: refund.chargedCents,
      currency: refund.currency,
      paymentIntentId: refund.paymentIntentId,
      invoiceId: refund.invoiceId,
      accountId: envelope.accountId,
      livemode: envelope.livemode,
      createdAt: now,
    },
    skipDuplicates: true,
  });
  const transactionId = await findTransaction(refund);
  if (transactionId) await applyRefunds(transactionId, now);
  return transactionId;
}

async function findTransaction({ invoiceId, paymentIntentId }: ChargeRefund): Promise<string | null> {
  if (invoiceId || !paymentIntentId) return invoiceId;
  const link = await database().paymentLink.findUnique({ where: { paymentIntentId } });
  return link?.invoiceId ?? paymentIntentId;
}
