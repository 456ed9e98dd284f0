'use server';

import { refresh } from 'next/cache';
import { z } from 'zod';
import { requireOperator } from '@/lib/shop/operator';
import { retryEntry } from '@/lib/shop/outbox';
import { markTransferPaid, saleEntryId } from '@/lib/shop/transfers';

const id = z.string().min(1).max(200);

export async function markPaid(form: FormData): Promise<void> {
  await requireOperator();
  await markTransferPaid(id.parse(form.get('invoiceId')), new Date());
  refresh();
}

export async function reportAgain(form: FormData): Promise<void> {
  await requireOperator();
  await retryEntry(saleEntryId(id.parse(form.get('invoiceId')))); // §7: a sale that the service has is a 409
  refresh();
}

export async function retryReport(form: FormData): Promise<void> {
  await requireOperator();
  await retryEntry(id.parse(form.get('entryId')));
  refresh();
}
