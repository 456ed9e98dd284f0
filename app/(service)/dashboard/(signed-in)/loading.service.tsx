import { OverviewSkeleton } from '../_components/skeletons';

export default function Loading() {
  return <OverviewSkeleton />;
}
