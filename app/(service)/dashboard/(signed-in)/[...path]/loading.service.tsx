export { Skeleton as default } from '@/components/ui/skeleton';
