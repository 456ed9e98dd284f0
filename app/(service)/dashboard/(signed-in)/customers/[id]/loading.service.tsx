export { JourneySkeleton as default } from '../../../_components/skeletons';
