import { cx } from './cx';

const VARIANTS = {
  primary: 'bg-primary text-primary-foreground hover:bg-primary-hover',
  secondary: 'border border-border-strong bg-surface text-foreground hover:bg-muted',
  ghost: 'text-foreground hover:bg-muted',
  danger: 'border border-danger bg-danger-soft text-danger hover:border-foreground',
} as const;

const SIZES = {
  default: 'min-h-11 px-4',
  small: 'hit-area min-h-8 whitespace-nowrap px-2.5 text-sm',
} as const;

export type ButtonVariant = keyof typeof VARIANTS;
export type ButtonSize = keyof typeof SIZES;

/** The look that buttons and links styled as buttons share. */
export const buttonClasses = (variant: ButtonVariant, size: ButtonSize, className?: string): string =>
  cx(
    'inline-flex items-center justify-center gap-2 rounded-control font-medium no-underline motion-safe:transition-colors',
    'forced-colors:border', // where backgrounds are not shown
    'disabled:cursor-not-allowed disabled:opacity-60 aria-disabled:cursor-not-allowed aria-disabled:opacity-60',
    VARIANTS[variant],
    SIZES[size],
    className,
  );
