import 'server-only';
import { database } from '@/prisma/client';

/**
 * The service's tables have every column that this version reads; rejects if a migration is missing. Not checked again after it
 * succeeds once, because migrations remove no columns.
 */
export function checkServiceTables(): () => Promise<void> {
  let wereFound = false;
  // The columns are checked, and no row is read: where retention has deleted the first ones, a search for one takes long.
  const none = { where: { OR: [] } };
  return async () => {
    if (wereFound) return;
    const db = database();
    await Promise.all([
      db.program.findFirst(none),
      db.apiKey.findFirst(none),
      db.dashboardSession.findFirst(none),
      db.partner.findFirst(none),
      db.click.findFirst(none),
      db.lead.findFirst(none),
      db.provisionalLead.findFirst(none),
      db.sale.findFirst(none),
      db.paymentFact.findFirst(none),
      db.unattributedPayment.findFirst(none),
      db.trackingEvent.findFirst(none),
      db.dailyCount.findFirst(none),
      db.dailyAmount.findFirst(none),
      db.lateCount.findFirst(none),
      db.lateAmount.findFirst(none),
      db.closedDay.findFirst(none),
      db.closedDayAmount.findFirst(none),
      db.partnerTotal.findFirst(none),
      db.rateLimit.findFirst(none),
    ]);
    wereFound = true;
  };
}
