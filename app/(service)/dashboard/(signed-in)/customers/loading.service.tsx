export { CustomersSkeleton as default } from '../../_components/skeletons';
