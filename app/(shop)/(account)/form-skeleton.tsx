import { Skeleton } from '@/components/ui/skeleton';

// The sizes of Clerk's forms today: another set of fields or providers needs others.
const SIZES = {
  'sign-in': 'h-107.25 sm:h-102.75',
  'sign-up': 'h-127.75 sm:h-123.25',
} as const;

/** Keeps the place of Clerk's form while it loads, so that nothing moves when it is there. */
export function FormSkeleton({ form }: { form: keyof typeof SIZES }) {
  return <Skeleton label="Loading the form" className={`${SIZES[form]} w-[calc(100vw-2.5rem)] max-w-100`} />;
}
