export { OverviewSkeleton as default } from '../_components/skeletons';
