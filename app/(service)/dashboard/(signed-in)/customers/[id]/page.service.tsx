import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { readFeedVersion } from '@/lib/service/dashboard/feed-version';
import { findJourney } from '@/lib/service/dashboard/journey-queries';
import { requireAccess } from '@/lib/service/dashboard/session';
import { JourneyThread } from '../../../_components/journey-thread';
import { ProgramPage } from '../../../_components/program-page';

type JourneyPageProps = { params: Promise<{ id: string }> };

/** Read once per request, for the title and the page. */
const readJourney = cache(async (id: string) => {
  const { programId } = await requireAccess(`/dashboard/customers/${id}`);
  const shown = await readFeedVersion(programId); // before the data, so that it is never newer
  return { programId, journey: await findJourney(programId, id), shown };
});

export async function generateMetadata({ params }: JourneyPageProps): Promise<Metadata> {
  const { id } = await params;
  const { journey } = await readJourney(id);
  return { title: journey ? `Journey of ${journey.customerKey ?? id}` : 'Customer not found' };
}

/** One customer's journey from click to renewal: `led_…`, or `clk_…` of a visitor. */
export default async function JourneyPage({ params }: JourneyPageProps) {
  const { id } = await params;
  const { programId, journey, shown } = await readJourney(id);
  if (!journey) notFound();
  return (
    <ProgramPage programId={programId}>
      <JourneyThread journey={journey} shown={shown} now={new Date()} />
    </ProgramPage>
  );
}
