import { GeistMono } from 'geist/font/mono';
import type { Metadata } from 'next';
import type { ReactNode } from 'react';

export const metadata: Metadata = {
  title: { absolute: 'Sandbox', template: '%s · Sandbox' },
  robots: { index: false },
};

/** Whether the sandbox is on, every page and route in here asks for itself. */
export default function SandboxLayout({ children }: { children: ReactNode }) {
  return <div className={GeistMono.variable}>{children}</div>;
}
