// Clerk for the pages that need to know who you are, and for no other: marketing pages load none of its JavaScript.
// Change in your app: the addresses.
import { ClerkProvider } from '@clerk/nextjs';
import type { ReactNode } from 'react';
import { NavLink } from '@/components/ui/nav-link';
import { ShopShell } from '../shop-shell';
import { AccountMenu } from './account-menu';

export default function AccountLayout({ children }: { children: ReactNode }) {
  return (
    <ClerkProvider signInUrl="/sign-in" signUpUrl="/sign-up" afterSignOutUrl="/">
      <ShopShell links={<Links />} account={<AccountMenu />}>
        {children}
      </ShopShell>
    </ClerkProvider>
  );
}

function Links() {
  return (
    <>
      <NavLink href="/pricing">Pricing</NavLink>
      <NavLink href="/account" prefetch={false}>
        Account
      </NavLink>
    </>
  );
}
