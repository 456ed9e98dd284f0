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
  const { programId } = await requireAccess(`/dashboard/customers/${encodeURIComponent(id)}`);
  const shown = await readFeedVersion(programId); // before the data, so that it is never newer
  return { programId, journey: await findJourney(programId, id), shown };
});

export async function generateMetadata({ params }: JourneyPageProps): Promise<Metadata> {
  const { id } = await params; // Next decodes it here, and leaves it encoded for the page
  const { journey } = await readJourney(id);
  return { title: journey ? `Journey of ${journey.customerKey ?? id}` : 'Customer not found' };
}

/** One customer's journey from click to renewal, by customer ID, lead, click or payment ID, or that of a visitor by click. */
export default async function JourneyPage({ params }: JourneyPageProps) {
  const { programId, journey, shown } = await readJourney(decodeURIComponent((await params).id));
  if (!journey) notFound();
  return (
    <ProgramPage programId={programId}>
      <JourneyThread journey={journey} shown={shown} now={new Date()} />
    </ProgramPage>
  );
}
