import { cx } from './cx';

/** The look of links within text. */
export const textLinkClasses = (className?: string): string =>
  cx('text-link underline underline-offset-4 hover:no-underline', className);

/** The look of a navigation's links. */
export const navItemClasses = (isCurrent: boolean): string =>
  cx(
    'relative inline-flex min-h-11 items-center whitespace-nowrap rounded-control px-2 font-medium no-underline max-[25rem]:px-1 max-[25rem]:text-[0.8125rem] sm:px-3',
    isCurrent
      ? 'text-foreground [scroll-initial-target:nearest] after:absolute after:inset-x-2 after:bottom-0.5 after:border-b-2 sm:after:inset-x-3'
      : 'text-muted-foreground hover:bg-muted',
  );
