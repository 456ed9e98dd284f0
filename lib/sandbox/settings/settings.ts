import 'server-only';
import { database } from '@/prisma/client';
import type { Prisma } from '@/prisma/generated/client';

/** What the control room can change; each for everyone or for one subject alone. */
export type SettingName = 'deliveries.mode' | 'deliveries.delay_seconds' | 'stripe.drop_subscription_metadata';

const EVERYONE = '';

/** The value for the subject, else for everyone, else null. */
export async function readSetting(
  name: SettingName,
  subject = EVERYONE,
  tx: Prisma.TransactionClient = database(),
): Promise<string | null> {
  const rows = await tx.sandboxSetting.findMany({
    where: { name, subject: { in: [EVERYONE, subject] } },
    orderBy: { subject: 'desc' },
  });
  return rows[0]?.value ?? null;
}

/** Every value that is set for everyone, or for this one subject and nobody else. */
export async function readOwnSettings(subject = EVERYONE): Promise<Partial<Record<SettingName, string>>> {
  const rows = await database().sandboxSetting.findMany({ where: { subject } });
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

/** Sets it for everyone, or for one subject; null takes it back. */
export async function writeSetting(name: SettingName, value: string | null, subject = EVERYONE): Promise<void> {
  const key = { name, subject };
  if (value === null) {
    await database().sandboxSetting.deleteMany({ where: key });
    return;
  }
  await database().sandboxSetting.upsert({
    where: { name_subject: key },
    create: { ...key, value },
    update: { value },
  });
}
