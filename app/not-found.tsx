import type { Metadata } from 'next';
import { Empty } from '@/components/ui/empty';
import { PlainLinkButton } from '@/components/ui/plain-link';
import { ShopShell } from './(shop)/shop-shell';

export const metadata: Metadata = { title: 'Page not found' };

export default function NotFound() {
  return (
    <ShopShell>
      <h1 className="sr-only">Page not found</h1>
      <Empty title="Page not found" action={<PlainLinkButton href="/">Back to Larkdesk</PlainLinkButton>}>
        The page may have moved. Check the URL.
      </Empty>
    </ShopShell>
  );
}
