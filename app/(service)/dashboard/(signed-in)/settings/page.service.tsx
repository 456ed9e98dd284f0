import type { Metadata } from 'next';
import type { SearchParams } from '@/lib/service/dashboard/event-filter';
import { readOwnOrigin, requireAccess } from '@/lib/service/dashboard/session';
import { readSettings } from '@/lib/service/dashboard/settings-queries';
import { readCursor } from '@/lib/service/events/cursor';
import { grantableBy, listKeys } from '@/lib/service/keys';
import { ProgramPage } from '../../_components/program-page';
import { SettingsCards } from '../../_components/settings-cards';

export const metadata: Metadata = { title: 'Settings' };

export default async function SettingsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const params = await searchParams;
  const { programId, keyAccess } = await requireAccess('/dashboard/settings', params);
  const now = new Date();
  const cursor = readCursor(params.cursor) ?? undefined;
  const [settings, page, origin] = await Promise.all([
    readSettings(programId),
    listKeys(programId, now, { after: cursor }),
    readOwnOrigin(),
  ]);
  const keys = { ...page, grantable: grantableBy(keyAccess), isFirst: !cursor };
  return (
    <ProgramPage programId={programId}>
      <SettingsCards settings={settings} keys={keys} origin={origin} now={now} />
    </ProgramPage>
  );
}
