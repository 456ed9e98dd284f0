import type { ReactNode } from 'react';
import { cx } from './cx';

const TONES = {
  neutral: { classes: 'bg-muted text-foreground', shape: <circle cx="6" cy="6" r="4" /> },
  info: { classes: 'bg-info-soft text-info', shape: <rect x="2" y="2" width="8" height="8" rx="1" /> },
  success: { classes: 'bg-success-soft text-success', shape: <path d="M2 6.5 5 9.5 10.5 3" /> },
  warning: { classes: 'bg-warning-soft text-warning', shape: <path d="M6 1.5 11 10.5 1 10.5Z" /> },
  danger: { classes: 'bg-danger-soft text-danger', shape: <path d="M2.5 2.5 9.5 9.5M9.5 2.5 2.5 9.5" /> },
} as const;

export type BadgeTone = keyof typeof TONES;

/** A status as text and shape, so that it does not depend on color. */
export function Badge({ tone = 'neutral', children }: { tone?: BadgeTone; children: ReactNode }) {
  const { classes, shape } = TONES[tone];
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1.5 whitespace-nowrap rounded-full px-2 py-0.5 font-medium text-xs',
        classes,
      )}
    >
      <svg
        viewBox="0 0 12 12"
        className="size-2.5 shrink-0"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        aria-hidden="true"
      >
        {shape}
      </svg>
      {children}
    </span>
  );
}
