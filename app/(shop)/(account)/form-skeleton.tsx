import { Skeleton } from '@/components/ui/skeleton';

// Heights of the Clerk forms with the current fields. Update them when you add fields or providers.
const SIZES = {
  'sign-in': 'h-107.25 sm:h-102.75',
  'sign-up': 'h-127.75 sm:h-123.25',
} as const;

/** Reserves space for the Clerk form while it loads, to prevent a layout shift. */
export function FormSkeleton({ form }: { form: keyof typeof SIZES }) {
  return <Skeleton label="Loading the form" className={`${SIZES[form]} w-[calc(100vw-2.5rem)] max-w-100`} />;
}
