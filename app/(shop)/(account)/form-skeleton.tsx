import { Skeleton } from '@/components/ui/skeleton';

/** Keeps the place of Clerk's form while it loads. */
export function FormSkeleton() {
  return <Skeleton label="The form is loading" className="h-96 w-full max-w-sm" />;
}
