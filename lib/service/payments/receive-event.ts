import 'server-only';
import Stripe from 'stripe';
import { database } from '@/prisma/client';
import { type PaymentEventEnvelope, type PaymentFact, readPaymentEvent } from '../domain/payment-event.ts';
import { serviceEnv } from '../env.ts';
import { refuse } from '../errors.ts';
import type { Answer } from '../http/answer.ts';
import { recordPayment } from './record-payment.ts';
import { recordPaymentLink, recordRefund } from './record-refund.ts';

type Outcome = { outcome: string; reason: string | null; programId: string | null; transactionId: string | null };

/**
 * An event of the connected payment account. Answered with 2xx only after everything in it is committed; every part is
 * safe to repeat, so a delivery that failed half-way is finished by the next.
 * @param text the body exactly as it was received: the signature covers its bytes
 */
export async function receivePaymentEvent(text: string, signature: string | null, now: Date): Promise<Answer> {
  const secret = serviceEnv().stripeWebhookSecret;
  if (!secret) return refuse('not_configured');
  const verified = verify(text, signature, secret);
  if (!verified) return refuse('invalid_signature');
  const event = readPaymentEvent(verified);
  if (!event) return refuse('invalid_body', 'The body is signed but is no Stripe event.');
  const { envelope, fact } = event;
  const outcome = await recordFact(fact, envelope, now);
  await logEvent(envelope, outcome, now);
  return {
    ok: true,
    body: { received: true, outcome: outcome.outcome, ...(outcome.reason && { reason: outcome.reason }) },
  };
}

function verify(text: string, signature: string | null, secret: string) {
  try {
    return Stripe.webhooks.constructEvent(text, signature ?? '', secret);
  } catch {
    return null;
  }
}

async function recordFact(fact: PaymentFact, envelope: PaymentEventEnvelope, now: Date): Promise<Outcome> {
  const none = { reason: null, programId: null, transactionId: null };
  switch (fact.kind) {
    case 'ignored':
      return { ...none, outcome: 'ignored', reason: fact.reason };
    case 'link':
      await recordPaymentLink(fact.link, now);
      return { ...none, outcome: 'link', transactionId: fact.link.invoiceId };
    case 'refund':
      return { ...none, outcome: 'refund', transactionId: await recordRefund(fact, envelope, now) };
    case 'payment': {
      if (fact.link) await recordPaymentLink(fact.link, now);
      return { ...none, transactionId: fact.transactionId, ...(await recordPayment(fact, envelope, now)) };
    }
    default:
      return fact satisfies never;
  }
}

/** For the dashboard: what arrived, how often, and what became of it. A later delivery may still attribute a payment. */
async function logEvent(envelope: PaymentEventEnvelope, outcome: Outcome, now: Date): Promise<void> {
  const { id, type, livemode, occurredAt } = envelope;
  await database().$executeRaw`
    INSERT INTO service_payment_events AS e (id, type, program_id, livemode, outcome, reason, transaction_id, occurred_at,
      created_at)
    VALUES (${id}, ${type}, ${outcome.programId}, ${livemode}, ${outcome.outcome}, ${outcome.reason},
      ${outcome.transactionId}, ${occurredAt}, ${now})
    ON CONFLICT (id) DO UPDATE SET deliveries = e.deliveries + 1,
      outcome = CASE WHEN e.outcome = 'not_attributed' THEN excluded.outcome ELSE e.outcome END,
      reason = CASE WHEN e.outcome = 'not_attributed' THEN excluded.reason ELSE e.reason END`;
}
