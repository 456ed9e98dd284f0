import { GeistMono } from 'geist/font/mono';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { connection } from 'next/server';
import type { ReactNode } from 'react';
import { isSandboxOn } from '@/lib/sandbox/env';

export const metadata: Metadata = {
  title: { absolute: 'Sandbox', template: '%s · Sandbox' },
  robots: { index: false },
};

/** Decided before the first byte, so that a sandbox that is off answers 404 and not an empty frame. */
export const instant = false;

export default async function SandboxLayout({ children }: { children: ReactNode }) {
  await connection();
  if (!isSandboxOn('clerk') && !isSandboxOn('stripe')) notFound();
  return <div className={GeistMono.variable}>{children}</div>;
}
