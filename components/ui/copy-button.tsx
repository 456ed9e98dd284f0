'use client';

import { useEffect, useState } from 'react';
import { Button } from './button';

type CopyState = 'idle' | 'copied' | 'failed';

const TEXTS = { idle: 'Copy', copied: 'Copied', failed: 'Select and copy' } as const satisfies Record<
  CopyState,
  string
>;
const ANNOUNCEMENTS = {
  idle: '',
  copied: 'Copied',
  failed: 'The browser refused to copy. Select the text instead.',
} as const satisfies Record<CopyState, string>;
const SHAPES = {
  idle: (
    <>
      <rect x="5" y="5" width="8" height="8" rx="1.5" />
      <path d="M10.5 5V3.5A1.5 1.5 0 0 0 9 2H3.5A1.5 1.5 0 0 0 2 3.5V9a1.5 1.5 0 0 0 1.5 1.5H5" />
    </>
  ),
  copied: <path d="M2.5 8.5 6 12l7.5-8" />,
  failed: <path d="M3.5 3.5l8 8M11.5 3.5l-8 8" />,
} as const satisfies Record<CopyState, unknown>;

type CopyButtonProps = {
  value: string;
  /** Says what is copied. */
  label: string;
  /** Shows an icon instead of text, for lists. */
  isIcon?: boolean;
};

/** Copies `value`; says so for two seconds, to screen readers too. */
export function CopyButton({ value, label, isIcon = false }: CopyButtonProps) {
  const [state, setState] = useState<CopyState>('idle');

  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 2_000);
    return () => clearTimeout(timer);
  }, [state]);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value); // unavailable on a page without https
      setState('copied');
    } catch {
      setState('failed');
    }
  };

  return (
    <>
      {isIcon ? (
        <button
          type="button"
          aria-label={label}
          onClick={copy}
          className="inline-grid size-6 shrink-0 place-items-center rounded-control text-muted-foreground hover:bg-muted hover:text-foreground"
        >
          <svg
            viewBox="0 0 15 15"
            className="size-3.5"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.5"
            aria-hidden="true"
          >
            {SHAPES[state]}
          </svg>
        </button>
      ) : (
        <Button variant="secondary" size="small" aria-label={label} onClick={copy}>
          {TEXTS[state]}
        </Button>
      )}
      <span role="status" className="sr-only">
        {ANNOUNCEMENTS[state]}
      </span>
    </>
  );
}
