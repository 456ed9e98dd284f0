import type { ReactNode } from 'react';
import { Nav } from '@/components/ui/nav';
import { NavLink } from '@/components/ui/nav-link';
import { PageShell } from '@/components/ui/page-shell';
import { Keyboard } from './keyboard';
import { Wordmark } from './wordmark';

/** Header and navigation of every page of the dashboard. `program` shows the current program. */
export function DashboardFrame({ program, children }: { program: ReactNode; children: ReactNode }) {
  return (
    <PageShell room="service" header={<Header program={program} />}>
      {children}
    </PageShell>
  );
}

function Header({ program }: { program: ReactNode }) {
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 pt-1">
        <Wordmark />
        <div className="sm:order-3">
          <Keyboard />
        </div>
        <div className="max-sm:w-full sm:ml-auto">{program}</div>
      </div>
      <Nav label="Dashboard" isDense>
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
