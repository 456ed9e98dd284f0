// The payment account of the program in the embedded service: is one connected, and in the mode of the Stripe key.
import { publicEnv } from '@/lib/integration/env';
import { modeOf } from '@/lib/integration/env-rules';
import { isServiceEmbedded } from '@/lib/service/switch.mjs';
import { database } from '@/prisma/client';
import { diagnoseDatabase } from '../database/diagnose.mjs';
import { blocker, type Finding, ok } from './report';

/** Payments of the other mode are kept as not attributed. Only the embedded service can be asked. */
export async function examinePaymentAccount(): Promise<Finding[]> {
  if (!isServiceEmbedded(process.env)) return [];
  const { NEXT_PUBLIC_SVC_PROGRAM_ID: id } = publicEnv();
  const { state } = await diagnoseDatabase(process.env.DATABASE_URL ?? '');
  if (state !== 'ready') return []; // the line about the database says so
  const program = await database().program.findUnique({ where: { id }, select: { paymentMode: true } });
  return describePaymentAccount(id, program, modeOf(process.env.STRIPE_SECRET_KEY));
}

export function describePaymentAccount(
  id: string,
  program: { paymentMode: string | null } | null,
  mode: 'live' | 'test' | null,
): Finding[] {
  const check = 'Payment account';
  const settings = `Connect it in /dashboard, Settings${mode ? `, in ${mode} mode` : ''}.`;
  if (!program)
    return [
      blocker(check, `there is no program ${id}.`, '`npm run program:create` creates one and prints its ID and key.'),
    ];
  if (!program.paymentMode) return [blocker(check, `program ${id} has none: no payment is attributed.`, settings)];
  if (mode && program.paymentMode !== mode) {
    const detail = `program ${id} is connected in ${program.paymentMode} mode, and STRIPE_SECRET_KEY is a ${mode} mode key.`;
    return [blocker(check, detail, settings)];
  }
  return [ok(check, `connected in ${program.paymentMode} mode`)];
}
