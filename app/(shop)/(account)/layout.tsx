// Clerk for the pages that need a session. Marketing pages load none of its JavaScript.
// Change in your app: the URLs.
import { ClerkProvider } from '@clerk/nextjs';
import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { ShopShell } from '../shop-shell';
import { AccountLinks } from './account-links';
import { AccountMenu } from './account-menu';
import { clerkAppearance } from './clerk-appearance';

export const metadata: Metadata = { robots: { index: false } };

export default function AccountLayout({ children }: { children: ReactNode }) {
  return (
    <ClerkProvider signInUrl="/sign-in" signUpUrl="/sign-up" afterSignOutUrl="/" appearance={clerkAppearance}>
      <ShopShell links={<AccountLinks />} account={<AccountMenu />}>
        {children}
      </ShopShell>
    </ClerkProvider>
  );
}
