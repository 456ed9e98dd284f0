import { Skeleton } from '@/components/ui/skeleton';

export default function Loading() {
  return (
    <>
      <h1 className="sr-only">Loading</h1>
      <Skeleton />
    </>
  );
}
