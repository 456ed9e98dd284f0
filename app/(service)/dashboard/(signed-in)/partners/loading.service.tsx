import { PartnersSkeleton } from '../../_components/skeletons';

export default function Loading() {
  return <PartnersSkeleton />;
}
