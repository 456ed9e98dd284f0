import { GeistMono } from 'geist/font/mono';
import type { Metadata } from 'next';
import type { ReactNode } from 'react';

export const metadata: Metadata = {
  title: { absolute: 'svc dashboard', template: '%s · svc dashboard' },
  robots: { index: false },
  // The shop's, which is another company.
  description: null,
  openGraph: null,
};

export default function DashboardLayout({ children }: { children: ReactNode }) {
  return <div className={GeistMono.variable}>{children}</div>;
}
