'use client';

import type Link from 'next/link';
import { usePathname } from 'next/navigation';
import { type ComponentProps, Suspense } from 'react';
import { NavItem } from './nav-item';

type NavLinkProps = Omit<ComponentProps<typeof Link>, 'className'> & {
  /** The section's first page is current only on itself, not on the pages below it. */
  isExact?: boolean;
};

/** A navigation link that marks itself on the current page. */
export function NavLink({ isExact = false, ...props }: NavLinkProps) {
  // The path is unknown while a page with parameters is prerendered.
  return (
    <Suspense fallback={<NavItem isCurrent={false} {...props} />}>
      <PathAwareLink isExact={isExact} {...props} />
    </Suspense>
  );
}

function PathAwareLink({ isExact, ...props }: NavLinkProps) {
  const pathname = usePathname();
  const href = typeof props.href === 'string' ? props.href : (props.href.pathname ?? '');
  return <NavItem isCurrent={pathname === href || (!isExact && pathname.startsWith(`${href}/`))} {...props} />;
}
