import 'server-only';
import { database } from '@/prisma/client';
import type { LeadAuthPolicy, PaymentMode } from '../domain/program';
import { reportingDatabase } from '../reporting-database';

export type Settings = {
  programId: string;
  name: string;
  leadAuthPolicy: LeadAuthPolicy;
  cookieWindowDays: number;
  attributionWindowDays: number;
  isPaused: boolean;
  /** Without a mode, no account is connected. */
  payments: { accountId: string; mode: PaymentMode | null };
};

export async function readSettings(programId: string): Promise<Settings> {
  const program = await reportingDatabase().program.findUniqueOrThrow({ where: { id: programId } });
  const { paymentAccountId, paymentMode } = program;
  return {
    programId,
    name: program.name,
    leadAuthPolicy: program.leadAuthPolicy as LeadAuthPolicy,
    cookieWindowDays: program.cookieWindowDays,
    attributionWindowDays: program.attributionWindowDays,
    isPaused: program.paused,
    payments: { accountId: paymentAccountId ?? '', mode: paymentMode as PaymentMode | null },
  };
}

type ProgramChange = Partial<{
  leadAuthPolicy: LeadAuthPolicy;
  cookieWindowDays: number;
  attributionWindowDays: number;
  paused: boolean;
  paymentAccountId: string | null;
  paymentMode: PaymentMode | null;
}>;

export async function updateProgram(programId: string, change: ProgramChange): Promise<void> {
  await database().program.update({ where: { id: programId }, data: change });
}
