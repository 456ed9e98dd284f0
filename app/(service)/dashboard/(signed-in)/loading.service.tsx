import { Skeleton } from '@/components/ui/skeleton';

export default function Loading() {
  return (
    <div className="grid gap-4">
      <Skeleton className="min-h-12 max-w-sm" />
      <Skeleton className="min-h-80" label="Loading the rest" />
    </div>
  );
}
