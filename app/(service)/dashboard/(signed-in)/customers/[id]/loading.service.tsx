import { JourneySkeleton } from '../../../_components/skeletons';

export default function Loading() {
  return <JourneySkeleton />;
}
