import { Skeleton } from '@/components/ui/skeleton';

// Sizes of Clerk's forms with the current fields. Change them when you add fields or providers.
const SIZES = {
  'sign-in': 'h-107.25 sm:h-102.75',
  'sign-up': 'h-127.75 sm:h-123.25',
} as const;

/** Reserves the space of Clerk's form while it loads, so that nothing moves. */
export function FormSkeleton({ form }: { form: keyof typeof SIZES }) {
  return <Skeleton label="Loading the form" className={`${SIZES[form]} w-[calc(100vw-2.5rem)] max-w-100`} />;
}
