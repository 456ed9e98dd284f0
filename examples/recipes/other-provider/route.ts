// Path B: the webhook of another payment provider. The sale is stored in the same transaction as the payment, so neither is
// recorded without the other, and it is retried until the service has it.
// The plan is granted again by a repeated webhook: where you can take it away, store the payment too, and grant only if it is new.
// Change in your app: how the provider signs, its event's type and fields, and what you store.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { prisma } from '@/lib/db';
import { readBody, refuse } from '@/lib/integration/http';
import { log } from '@/lib/integration/log';
import { deliverEntry } from '@/lib/integration/outbox/deliver';
import { enqueue } from '@/lib/integration/outbox/store';

/** Anyone can send a body; only the provider's is signed. */
const BODY_LIMIT = 64 * 1024;

type PaymentEvent = {
  type: string;
  /** The payment's ID, not the event's: the same on every event about it. */
  id: string;
  /** The user ID that the lead has, if your checkout has put it into the payment's metadata. A visitor may have set it. */
  userId: unknown;
  /** In minor units, without tax. */
  amount: number;
  currency: string;
};

export async function POST(request: Request): Promise<Response> {
  const body = await readBody(request, BODY_LIMIT);
  if (body === null) return refuse('too_large');
  if (!isSigned(body, request.headers.get('x-signature'))) return new Response('Bad signature.', { status: 400 });
  const { type, id, userId, amount, currency } = JSON.parse(body) as PaymentEvent;
  if (type !== 'payment.succeeded') return new Response('Ignored.');
  // Prisma leaves an undefined ID out of a filter, which then matches every user.
  if (typeof userId !== 'string' || userId === '') {
    log.error('payments: a payment names no user', { payment: id });
    return new Response('Ignored.'); // a repeated webhook would not name one either
  }
  await prisma.$transaction(async (tx) => {
    await tx.user.updateMany({ where: { clerkId: userId }, data: { plan: 'pro_monthly' } });
    // `invoiceId` is the idempotency key: the payment's own ID, so that a repeated webhook is one sale.
    const sale = {
      kind: 'sale',
      customerExternalId: userId,
      amount,
      currency: currency.toLowerCase(),
      invoiceId: id,
    } as const;
    if (amount > 0) await enqueue(`sale:${id}`, sale, new Date(), { db: tx }); // a trial or a full discount is not a sale
  });
  await deliverEntry(`sale:${id}`);
  return new Response('Received.');
}

function isSigned(body: string, signature: string | null): boolean {
  const secret = process.env.PAYMENTS_WEBHOOK_SECRET;
  if (!secret) throw new Error('PAYMENTS_WEBHOOK_SECRET is not set.'); // anyone can sign with an empty one
  const expected = createHmac('sha256', secret).update(body).digest();
  const given = Buffer.from(signature ?? '', 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
