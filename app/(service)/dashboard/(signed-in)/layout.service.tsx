import { type ReactNode, Suspense } from 'react';
import { DashboardFrame } from '../_components/dashboard-frame';
import { ProgramMenu } from '../_components/program-menu';

/** The frame is the same for all users, so it is sent at once. Each page checks access itself. */
export default function SignedInLayout({ children }: { children: ReactNode }) {
  const program = (
    <Suspense>
      <ProgramMenu />
    </Suspense>
  );
  return <DashboardFrame program={program}>{children}</DashboardFrame>;
}
