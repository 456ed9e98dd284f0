'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { type ComponentProps, Suspense } from 'react';
import { cx } from './cx';

type NavLinkProps = Omit<ComponentProps<typeof Link>, 'className'> & {
  /** The section's first page is current only on itself, not on the pages below it. */
  isExact?: boolean;
};

/** A link of a navigation; it knows when it is the current page. */
export function NavLink({ isExact = false, ...props }: NavLinkProps) {
  // The path is not known while a page with parameters is prerendered.
  return (
    <Suspense fallback={<PlainLink isCurrent={false} {...props} />}>
      <PathAwareLink isExact={isExact} {...props} />
    </Suspense>
  );
}

function PathAwareLink({ isExact, ...props }: NavLinkProps) {
  const pathname = usePathname();
  const href = typeof props.href === 'string' ? props.href : (props.href.pathname ?? '');
  return <PlainLink isCurrent={pathname === href || (!isExact && pathname.startsWith(`${href}/`))} {...props} />;
}

function PlainLink({ isCurrent, ...props }: NavLinkProps & { isCurrent: boolean }) {
  return (
    <Link
      {...props}
      aria-current={isCurrent ? 'page' : undefined}
      className={cx(
        'relative inline-flex min-h-11 items-center whitespace-nowrap rounded-control px-2 font-medium no-underline sm:px-3',
        isCurrent
          ? 'text-foreground [scroll-initial-target:nearest] after:absolute after:inset-x-2 after:bottom-0.5 after:border-b-2 sm:after:inset-x-3'
          : 'text-muted-foreground hover:bg-muted',
      )}
    />
  );
}
