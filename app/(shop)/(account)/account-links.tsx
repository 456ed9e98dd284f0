'use client';

import { usePathname } from 'next/navigation';
import { Suspense } from 'react';
import { NavLink } from '@/components/ui/nav-link';
import { VisitorLinks } from '../visitor-links';

/** Every page of the account has a session, except the forms that start one. */
const FORMS = ['/sign-in', '/sign-up'];

/** Navigation links for customers and, on the sign-in and sign-up pages, for visitors. */
export function AccountLinks() {
  // The path is unknown while a page with parameters is prerendered. Only the sign-in and sign-up pages are.
  return (
    <Suspense fallback={<VisitorLinks />}>
      <LinksByPath />
    </Suspense>
  );
}

function LinksByPath() {
  const pathname = usePathname();
  if (FORMS.some((form) => pathname.startsWith(form))) return <VisitorLinks />;
  return (
    <>
      <NavLink href="/account" isExact prefetch={false}>
        Account
      </NavLink>
      <NavLink href="/account/plans" prefetch={false}>
        Plans
      </NavLink>
    </>
  );
}
