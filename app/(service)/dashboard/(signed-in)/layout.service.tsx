import { type ReactNode, Suspense } from 'react';
import { Nav } from '@/components/ui/nav';
import { NavLink } from '@/components/ui/nav-link';
import { PageShell } from '@/components/ui/page-shell';
import { Keyboard } from '../_components/keyboard';
import { ProgramMenu } from '../_components/program-menu';
import { Wordmark } from '../_components/wordmark';

/** The same frame for everyone, so it is sent at once. Each page checks for itself whose data it may show. */
export default function SignedInLayout({ children }: { children: ReactNode }) {
  return (
    <PageShell room="service" header={<Header />}>
      {children}
    </PageShell>
  );
}

function Header() {
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 pt-1">
        <Wordmark />
        <div className="sm:order-3">
          <Keyboard />
        </div>
        <div className="max-sm:w-full sm:ml-auto">
          <Suspense>
            <ProgramMenu />
          </Suspense>
        </div>
      </div>
      <Nav label="Dashboard">
        <NavLink href="/dashboard" isExact>
          Overview
        </NavLink>
        <NavLink href="/dashboard/events">Events</NavLink>
        <NavLink href="/dashboard/customers">Customers</NavLink>
        <NavLink href="/dashboard/partners">Partners</NavLink>
        <NavLink href="/dashboard/settings">Settings</NavLink>
      </Nav>
    </>
  );
}
