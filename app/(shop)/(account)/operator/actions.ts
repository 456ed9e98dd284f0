'use server';

import { refresh } from 'next/cache';
import { z } from 'zod';
import { requireOperator } from '@/lib/shop/operator';
import { retryEntry } from '@/lib/shop/outbox';
import { markTransferPaid, saleEntryId } from '@/lib/shop/transfers';
import type { ActionOutcome } from './operator-form';

const id = z.string().min(1).max(200);

export async function markPaid(form: FormData): Promise<ActionOutcome> {
  await requireOperator();
  const invoiceId = id.parse(form.get('invoiceId'));
  await markTransferPaid(invoiceId, new Date());
  refresh();
  return { text: `${invoiceId} is marked as paid.` };
}

export async function reportAgain(form: FormData): Promise<ActionOutcome> {
  await requireOperator();
  const invoiceId = id.parse(form.get('invoiceId'));
  return retry(invoiceId, saleEntryId(invoiceId)); // §7: a sale that the service has is a 409
}

export async function retryReport(form: FormData): Promise<ActionOutcome> {
  await requireOperator();
  const entryId = id.parse(form.get('entryId'));
  return retry(entryId, entryId);
}

async function retry(name: string, entryId: string): Promise<ActionOutcome> {
  const decision = await retryEntry(entryId);
  refresh();
  if (!decision)
    return { text: `${name} was not sent: it waits for the customer's lead, or no longer exists.`, isProblem: true };
  switch (decision.state) {
    case 'done':
      return { text: `${name} was sent again, and the service has it.` };
    case 'skipped':
      return { text: `${name} was sent again: ${decision.reason}.` };
    case 'dead':
      return { text: `${name} was sent again and refused: ${decision.reason}.`, isProblem: true };
    default:
      return {
        text: `${name} was sent again and is still pending: ${decision.reason}.`,
      };
  }
}
