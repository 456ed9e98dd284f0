import { NavItem } from '@/components/ui/nav-item';

/** Navigation links for visitors. */
export const VisitorLinks = ({ current }: { current?: string }) => (
  <>
    <NavItem href="/pricing" isCurrent={current === '/pricing'}>
      Pricing
    </NavItem>
    <NavItem href="/account" prefetch={false} isCurrent={false}>
      Account
    </NavItem>
  </>
);
