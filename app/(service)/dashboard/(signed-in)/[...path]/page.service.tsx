import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { requireAccess } from '@/lib/service/dashboard/session';

export const metadata: Metadata = { title: 'Page not found' };

/** Every other path under /dashboard: without it, Next shows the shop's page. */
export default async function UnknownPage() {
  await requireAccess('/dashboard');
  notFound();
}
