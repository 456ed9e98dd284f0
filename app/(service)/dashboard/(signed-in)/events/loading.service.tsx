import { EventsSkeleton } from '../../_components/skeletons';

export default function Loading() {
  return <EventsSkeleton />;
}
