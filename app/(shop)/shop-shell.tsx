import Link from 'next/link';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { LinkButton } from '@/components/ui/link-button';
import { Nav } from '@/components/ui/nav';
import { PageShell } from '@/components/ui/page-shell';
import { TextLink } from '@/components/ui/text-link';
import { readOnce } from '@/lib/integration/env';
import { VisitorLinks } from './visitor-links';

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
          <Link
            href="/"
            className="inline-flex min-h-11 items-center font-semibold text-lg tracking-tight no-underline"
          >
            Larkdesk
          </Link>
          <div className="flex items-center gap-2">
            <Nav label="Larkdesk">{links ?? <VisitorLinks current={current} />}</Nav>
            {account}
          </div>
        </div>
      }
      footer={
        <p>
          Larkdesk is the example product of a reference integration.
          {current !== '/pricing' && (
            <>
              {' '}
              <TextLink href="/pricing">View pricing</TextLink>.
            </>
          )}
        </p>
      }
    >
      {/* Partners link to it with different parameters; search engines should index one page. */}
      {current && <link rel="canonical" href={addressOf(current)} />}
      {children}
    </PageShell>
  );
}

/** Read when static pages are built; it may be unset then. */
const buildEnv = readOnce({ APP_URL: z.string().optional() });

/** Absolute, as search engines expect, if the build knows the app's address. */
function addressOf(path: string): string {
  const { APP_URL } = buildEnv();
  return APP_URL ? new URL(path, APP_URL).href : path;
}

function SignedOut() {
  return (
    <LinkButton href="/sign-up" prefetch={false} size="small" className="max-sm:hidden">
      Start free
    </LinkButton>
  );
}
