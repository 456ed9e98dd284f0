export { SettingsSkeleton as default } from '../../_components/skeletons';
