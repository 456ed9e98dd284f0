export { EventsSkeleton as default } from '../../_components/skeletons';
