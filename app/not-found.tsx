import type { Metadata } from 'next';
import { Empty } from '@/components/ui/empty';
import { LinkButton } from '@/components/ui/link-button';
import { ShopShell } from './(shop)/shop-shell';

export const metadata: Metadata = { title: 'Page not found' };

export default function NotFound() {
  return (
    <ShopShell>
      <Empty isPage title="Page not found" action={<LinkButton href="/">Back to Larkdesk</LinkButton>}>
        The page may have moved. Check the URL.
      </Empty>
    </ShopShell>
  );
}
