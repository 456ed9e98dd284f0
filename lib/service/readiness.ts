import 'server-only';
import { database } from '@/prisma/client';

/**
 * The service's tables have every column that this version reads; rejects if a migration is missing. Not checked again after it
 * succeeds once, because migrations remove no columns.
 */
export function checkServiceTables(): () => Promise<void> {
  let wereFound = false;
  return async () => {
    if (wereFound) return;
    const db = database();
    await Promise.all([
      db.program.findFirst(),
      db.apiKey.findFirst(),
      db.dashboardSession.findFirst(),
      db.partner.findFirst(),
      db.click.findFirst(),
      db.lead.findFirst(),
      db.provisionalLead.findFirst(),
      db.sale.findFirst(),
      db.paymentFact.findFirst(),
      db.unattributedPayment.findFirst(),
      db.trackingEvent.findFirst(),
      db.dailyCount.findFirst(),
      db.dailyAmount.findFirst(),
      db.lateCount.findFirst(),
      db.lateAmount.findFirst(),
      db.closedDay.findFirst(),
      db.closedDayAmount.findFirst(),
      db.partnerTotal.findFirst(),
      db.rateLimit.findFirst(),
    ]);
    wereFound = true;
  };
}
