import { CustomersSkeleton } from '../../_components/skeletons';

export default function Loading() {
  return <CustomersSkeleton />;
}
