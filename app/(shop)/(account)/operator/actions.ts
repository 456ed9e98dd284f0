'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { requireOperator } from '@/lib/integration/clerk/require-operator';
import { deliverEntry } from '@/lib/integration/inbox/deliver-entry';
import { requeueEntry } from '@/lib/integration/inbox/inbox-store';
import { markTransferPaid, reportTransferAgain } from '@/lib/integration/shop/transfers';

const id = z.string().min(1).max(200);

export async function markPaid(form: FormData): Promise<void> {
  await requireOperator();
  await markTransferPaid(id.parse(form.get('invoiceId')), new Date());
  revalidatePath('/operator');
}

export async function reportAgain(form: FormData): Promise<void> {
  await requireOperator();
  await reportTransferAgain(id.parse(form.get('invoiceId')), new Date());
  revalidatePath('/operator');
}

export async function retryEntry(form: FormData): Promise<void> {
  await requireOperator();
  const entryId = id.parse(form.get('entryId'));
  await requeueEntry(entryId, new Date());
  await deliverEntry(entryId);
  revalidatePath('/operator');
}
