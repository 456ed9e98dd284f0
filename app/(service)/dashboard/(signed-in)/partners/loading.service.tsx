export { PartnersSkeleton as default } from '../../_components/skeletons';
