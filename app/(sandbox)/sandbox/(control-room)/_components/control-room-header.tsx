import Link from 'next/link';

/** Says whose place this is, and leads elsewhere. */
export function ControlRoomHeader() {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
      <Link
        href="/sandbox"
        className="inline-flex min-h-11 items-center font-semibold uppercase tracking-wide no-underline"
      >
        <span className="bg-primary px-2 py-0.5 text-primary-foreground">Sandbox</span>
      </Link>
      <span className="bg-surface px-1 text-sm">stands in for Clerk and Stripe</span>
      <nav aria-label="Elsewhere" className="ml-auto flex gap-4 bg-surface px-1">
        <Link href="/" className="inline-flex min-h-11 items-center">
          Shop
        </Link>
        <Link href="/dashboard" className="inline-flex min-h-11 items-center">
          Dashboard
        </Link>
      </nav>
    </div>
  );
}
