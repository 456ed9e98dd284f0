import 'server-only';
import { database } from '@/prisma/client';

export type PartnerSummary = {
  code: string;
  name: string;
  isActive: boolean;
  clicks: number;
  leads: number;
  sales: number;
  amounts: Array<{ amount: number; currency: string }>;
};

/** The partner codes of a program, for choosing one. */
export async function listPartnerCodes(programId: string): Promise<string[]> {
  const rows = await database().partner.findMany({
    where: { programId },
    select: { code: true },
    orderBy: { code: 'asc' },
  });
  return rows.map(({ code }) => code);
}

/** A program's partners with their totals, from the daily rollup: test events are not in it. */
export async function listPartners(programId: string): Promise<PartnerSummary[]> {
  const [partners, counts, amounts] = await Promise.all([
    database().partner.findMany({ where: { programId }, orderBy: { code: 'asc' } }),
    database().dailyCount.groupBy({
      by: ['partnerCode'],
      where: { programId },
      _sum: { clicks: true, leads: true, sales: true },
    }),
    database().dailyAmount.groupBy({
      by: ['partnerCode', 'currency'],
      where: { programId },
      _sum: { salesCents: true, refundedCents: true },
      orderBy: { currency: 'asc' },
    }),
  ]);
  return partners.map(({ code, name, active }) => {
    const sum = counts.find((row) => row.partnerCode === code)?._sum;
    return {
      code,
      name,
      isActive: active,
      clicks: sum?.clicks ?? 0,
      leads: sum?.leads ?? 0,
      sales: sum?.sales ?? 0,
      amounts: amounts
        .filter((row) => row.partnerCode === code)
        .map(({ currency, _sum: { salesCents, refundedCents } }) => ({
          currency,
          amount: Number((salesCents ?? 0n) - (refundedCents ?? 0n)),
        })),
    };
  });
}
