import Link from 'next/link';
import type { ReactNode } from 'react';
import { LinkButton } from '@/components/ui/link-button';
import { Nav } from '@/components/ui/nav';
import { NavLink } from '@/components/ui/nav-link';
import { PageShell } from '@/components/ui/page-shell';
import { TextLink } from '@/components/ui/text-link';

/** Header and footer of the shop. `account` stands where a visitor finds the way in. */
export function ShopShell({ account = <SignedOut />, children }: { account?: ReactNode; children: ReactNode }) {
  return (
    <PageShell
      room="shop"
      header={
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-2">
          <Link
            href="/"
            className="inline-flex min-h-11 items-center font-semibold text-lg tracking-tight no-underline"
          >
            Larkdesk
          </Link>
          <div className="flex items-center gap-2">
            <Nav label="Larkdesk">
              <NavLink href="/pricing">Pricing</NavLink>
              <NavLink href="/account" prefetch={false}>
                Account
              </NavLink>
            </Nav>
            {account}
          </div>
        </div>
      }
      footer={
        <p>
          Larkdesk is the example product of a reference integration.{' '}
          <TextLink href="/pricing">See what it costs</TextLink>.
        </p>
      }
    >
      {children}
    </PageShell>
  );
}

function SignedOut() {
  return (
    <LinkButton href="/sign-up" prefetch={false} size="small" className="max-sm:hidden">
      Start free
    </LinkButton>
  );
}
