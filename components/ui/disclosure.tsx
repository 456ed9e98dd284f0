import type { ReactNode } from 'react';

type DisclosureProps = {
  summary: ReactNode;
  children: ReactNode;
};

/** Details on request; works without JavaScript. */
export function Disclosure({ summary, children }: DisclosureProps) {
  return (
    <details className="group">
      <summary className="hit-area inline-flex list-none items-center gap-1.5 py-1 text-link text-sm underline-offset-4 hover:underline [&::-webkit-details-marker]:hidden">
        <svg
          viewBox="0 0 12 12"
          className="size-3 motion-safe:transition-transform group-open:rotate-90"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          aria-hidden="true"
        >
          <path d="M4 2l4 4-4 4" />
        </svg>
        {summary}
      </summary>
      <div className="pt-2">{children}</div>
    </details>
  );
}
