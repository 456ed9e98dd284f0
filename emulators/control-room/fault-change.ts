import { z } from 'zod';
import type { Emulator } from '../core/emulator';
import { DELIVERY_MODES, type FaultName, writeFault } from '../core/faults';

/** Some faults with their values; null removes the setting. */
export type Faults = Partial<Record<FaultName, string | number | boolean | null | undefined>>;

const fields = {
  mode: z.enum(DELIVERY_MODES).nullable(),
  delay_seconds: z.int().min(0).max(3600).nullable(),
  drop_subscription_metadata: z.boolean().nullable(),
  outage: z.boolean().nullable(),
} satisfies Record<FaultName, z.ZodType>;

/** What POST /control/faults takes: some faults, for everyone or for one customer (an email address). */
export const faultChange = z
  .strictObject(fields)
  .partial()
  .extend({
    /** For the browser that sends the request, whatever the customer. */
    tracker_blocked: z.boolean().optional(),
    customer: z.string().trim().min(1).max(320).optional(),
  });

/** Sets what is named, and leaves the others as they are. */
export function writeFaults({ database, deliveries }: Emulator, faults: Faults, customer?: string): Promise<void> {
  const names = Object.keys(fields) as FaultName[];
  return database
    .change(async (sql) => {
      for (const name of names) {
        const value = faults[name];
        if (value !== undefined) await writeFault(sql, name, value === null ? null : String(value), customer);
      }
    })
    .then(() => deliveries.wake()); // what was held may be sent now
}
