import { SettingsSkeleton } from '../../_components/skeletons';

export default function Loading() {
  return <SettingsSkeleton />;
}
