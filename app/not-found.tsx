import type { Metadata } from 'next';
import { Empty } from '@/components/ui/empty';
import { LinkButton } from '@/components/ui/link-button';
import { ShopShell } from './(shop)/shop-shell';

export const metadata: Metadata = { title: 'Not found' };

export default function NotFound() {
  return (
    <ShopShell>
      <h1 className="sr-only">Not found</h1>
      <Empty title="There is nothing at this address" action={<LinkButton href="/">Back to Larkdesk</LinkButton>}>
        The page may have moved, or the address has a letter too many.
      </Empty>
    </ShopShell>
  );
}
