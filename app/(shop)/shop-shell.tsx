import type { ReactNode } from 'react';
import { Nav } from '@/components/ui/nav';
import { PageShell } from '@/components/ui/page-shell';
import { PlainLinkButton, PlainNavItem, PlainTextLink } from '@/components/ui/plain-link';

type ShopShellProps = {
  /** The path of a static page. */
  current?: string;
  /** Navigation links for pages whose path is known only in the browser. */
  links?: ReactNode;
  /** Shown instead of the sign-up button. */
  account?: ReactNode;
  children: ReactNode;
};

/** Header and footer of the shop. */
export function ShopShell({ current = '', links, account = <SignedOut />, children }: ShopShellProps) {
  return (
    <PageShell
      room="shop"
      header={
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-2">
          <a href="/" className="inline-flex min-h-11 items-center font-semibold text-lg tracking-tight no-underline">
            Larkdesk
          </a>
          <div className="flex items-center gap-2">
            <Nav label="Larkdesk">
              {links ?? (
                <>
                  <PlainNavItem href="/pricing" isCurrent={current === '/pricing'}>
                    Pricing
                  </PlainNavItem>
                  <PlainNavItem href="/account" isCurrent={false}>
                    Account
                  </PlainNavItem>
                </>
              )}
            </Nav>
            {account}
          </div>
        </div>
      }
      footer={
        <p>
          Larkdesk is the example product of a reference integration.{' '}
          <PlainTextLink href="/pricing">View pricing</PlainTextLink>.
        </p>
      }
    >
      {children}
    </PageShell>
  );
}

function SignedOut() {
  return (
    <PlainLinkButton href="/sign-up" size="small" className="max-sm:hidden">
      Start free
    </PlainLinkButton>
  );
}
