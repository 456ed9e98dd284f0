import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { readFeedVersion } from '@/lib/service/dashboard/feed-version';
import { findJourney } from '@/lib/service/dashboard/journey-queries';
import { requireAccess } from '@/lib/service/dashboard/session';
import { JourneyThread } from '../../../_components/journey-thread';

export const metadata: Metadata = { title: 'Journey' };

/** One customer's journey from click to renewal: `led_…`, or `clk_…` of a visitor. */
export default async function JourneyPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const { programId } = await requireAccess(`/dashboard/customers/${id}`);
  const shown = await readFeedVersion(programId); // before the data, so that it is never newer
  const journey = await findJourney(programId, id);
  if (!journey) notFound();
  return <JourneyThread journey={journey} shown={shown} now={new Date()} />;
}
