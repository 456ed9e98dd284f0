// Turns faults of a running instance on and off.
import type { Emulator } from './emulator';
import { type ActiveFault, FAULT_NAMES, type FaultName, writeFault } from './faults';

/** Some faults with their values; null removes the setting. */
export type Faults = Partial<Record<FaultName, string | number | boolean | null | undefined>>;

/** Sets the given faults, for everyone or for one customer, and leaves the others unchanged. */
export async function setFaults(emulator: Emulator, faults: Faults, customer?: string): Promise<void> {
  await emulator.database.change(async (sql) => {
    for (const name of FAULT_NAMES) {
      const value = faults[name];
      if (value !== undefined) await writeFault(sql, name, value === null ? null : String(value), customer);
    }
  });
  announce(emulator);
}

/** Turns these faults off. */
export async function clearFaults(emulator: Emulator, faults: readonly ActiveFault[]): Promise<void> {
  await emulator.database.change(async (sql) => {
    for (const { name, subject } of faults) await writeFault(sql, name, null, subject);
  });
  announce(emulator);
}

/** Turns all faults off, for everyone and for single customers. */
export async function clearAllFaults(emulator: Emulator): Promise<void> {
  await emulator.database.change((sql) => sql('DELETE FROM fault'));
  announce(emulator);
}

function announce({ controlled, deliveries }: Emulator): void {
  controlled.announce();
  deliveries.wake(); // what was held may be sent now
}
