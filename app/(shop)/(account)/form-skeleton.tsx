import { Skeleton } from '@/components/ui/skeleton';

// Heights of the Clerk forms with the current fields. Update them when you add fields or providers.
const FORMS = {
  'sign-in': { title: 'Sign in', size: 'h-107.25 sm:h-102.75' },
  'sign-up': { title: 'Sign up', size: 'h-127.75 sm:h-123.25' },
} as const;

/** Reserves space for the Clerk form while it loads, to prevent a layout shift, and has the page's h1 until the form's is there. */
export function FormSkeleton({ form }: { form: keyof typeof FORMS }) {
  const { title, size } = FORMS[form];
  return (
    <>
      <h1 className="sr-only">{title}</h1>
      <Skeleton label="Loading the form" className={`${size} w-[calc(100vw-2.5rem)] max-w-100`} />
    </>
  );
}
