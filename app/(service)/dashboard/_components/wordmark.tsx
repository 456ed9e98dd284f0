import Link from 'next/link';

/** The tracking service is another company's product, so it has its own look. */
export function Wordmark() {
  return (
    <Link href="/dashboard" className="inline-flex min-h-11 items-center gap-2 py-2 no-underline">
      <svg viewBox="0 0 24 24" className="size-5" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden="true">
        <circle cx="4" cy="12" r="2.5" fill="currentColor" />
        <path d="M6.5 12h4M13.5 12h4" />
        <circle cx="12" cy="12" r="2.5" />
        <circle cx="20" cy="12" r="2.5" />
      </svg>
      <span className="font-mono font-semibold">svc</span>
      <span className="text-muted-foreground">dashboard</span>
    </Link>
  );
}
